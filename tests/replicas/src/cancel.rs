//! Drops a future at a chosen poll.

use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that is dropped instead of being polled for the last time that it may be. Then its output is `None`.
#[derive(Debug)]
pub struct Cancelled<F> {
    inner: Option<Pin<Box<F>>>,
    /// How often it may be polled; `None` for as often as it needs.
    polls: Option<u8>,
}

impl<F> Cancelled<F> {
    /// Wraps a future.
    pub fn new(inner: F, polls: Option<u8>) -> Self {
        Self { inner: Some(Box::pin(inner)), polls }
    }
}

impl<F: Future> Future for Cancelled<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(polls) = &mut this.polls {
            if *polls == 0 {
                this.inner = None;
                return Poll::Ready(None);
            }
            *polls -= 1;
        }
        match &mut this.inner {
            Some(inner) => inner.as_mut().poll(cx).map(Some),
            None => Poll::Ready(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of polls that `future` gets before it ends.
    async fn steps() -> u8 {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        7
    }

    #[tokio::test]
    async fn a_future_is_dropped_at_its_poll() {
        assert_eq!(Cancelled::new(steps(), None).await, Some(7));
        assert_eq!(Cancelled::new(steps(), Some(4)).await, Some(7));
        assert_eq!(Cancelled::new(steps(), Some(3)).await, None);
        assert_eq!(Cancelled::new(steps(), Some(0)).await, None);
    }
}
