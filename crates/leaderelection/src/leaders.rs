//! A stream of leaders.

use std::pin::Pin;
use std::task::{Context, Poll};

use client_rs_machinery::Str;
use futures_core::Stream;
use tokio::sync::watch;

/// A leader, and the receiver of the next one.
type Next = (Str, watch::Receiver<Str>);

/// The leaders that a candidate observes, as they change; an empty identity means no leader. A slow reader gets only the
/// newest.
///
/// It yields nothing while the candidate neither campaigns nor leads, and ends when the candidate is dropped.
pub struct Leaders {
    next: Pin<Box<dyn Future<Output = Option<Next>> + Send>>,
    over: bool,
}

impl Leaders {
    pub(crate) fn new(receiver: watch::Receiver<Str>) -> Self {
        Self { next: Box::pin(changed(receiver)), over: false }
    }

    /// The next leader. Cancel safe.
    pub async fn changed(&mut self) -> Option<Str> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }
}

async fn changed(mut receiver: watch::Receiver<Str>) -> Option<Next> {
    receiver.changed().await.ok()?;
    let leader = receiver.borrow_and_update().clone();
    Some((leader, receiver))
}

impl Stream for Leaders {
    type Item = Str;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Str>> {
        if self.over {
            return Poll::Ready(None);
        }
        match self.next.as_mut().poll(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => {
                self.over = true;
                Poll::Ready(None)
            }
            Poll::Ready(Some((leader, receiver))) => {
                self.next = Box::pin(changed(receiver));
                Poll::Ready(Some(leader))
            }
        }
    }
}

impl std::fmt::Debug for Leaders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Leaders")
    }
}
