//! [`Timer`]: the deadline of a reflector.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::time::{Sleep, sleep_until};

/// A deadline that seldom changes. It is registered with the runtime once, not once per event.
#[derive(Default)]
pub(super) struct Timer(Option<Pin<Box<Sleep>>>);

impl Timer {
    /// Ready once the deadline has passed. It may be another one at each call; `None` never passes.
    pub(super) fn poll(&mut self, deadline: Option<Instant>, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = deadline.map(Into::into) else {
            self.0 = None;
            return Poll::Pending;
        };
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if sleep.deadline() != deadline {
            sleep.as_mut().reset(deadline);
        }
        sleep.as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_deadline_may_move_both_ways() {
        let (mut timer, start) = (Timer::default(), tokio::time::Instant::now());
        let after = |seconds| Some((start + Duration::from_secs(seconds)).into_std());
        let mut polled = |deadline| timer.poll(deadline, &mut Context::from_waker(std::task::Waker::noop()));
        assert_eq!([polled(after(60)), polled(None), polled(after(60))], [Poll::Pending; 3]);
        assert_eq!([polled(after(0)), polled(after(0))], [Poll::Ready(()); 2], "it has passed");
        assert_eq!(polled(after(30)), Poll::Pending);
        poll_fn(|cx| timer.poll(after(10), cx)).await;
        assert_eq!(start.elapsed(), Duration::from_secs(10));
        poll_fn(|cx| timer.poll(after(20), cx)).await;
        assert_eq!(start.elapsed(), Duration::from_secs(20));
    }
}
