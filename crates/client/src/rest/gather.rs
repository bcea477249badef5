//! The bytes of a long answer, in portions that are worth waking up for.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use client_rs_transport::http::{Body, TransportError};
use http_body::Body as _;
use tokio::time::{Instant, Sleep};

/// A portion that is handed on at once.
const ENOUGH: usize = 256 * 1024;
/// An answer that is shorter than this is over soon: nothing of it waits.
const LONG: usize = 64 * 1024;
/// How long bytes wait for others. A server that encodes a list item by item sends one every tenth of a millisecond
/// or so; one that needs longer than this is not slowed down noticeably.
const PATIENCE: Duration = Duration::from_millis(4);

/// A body whose frames are handed on in portions.
///
/// A server that encodes while it sends gives each item a frame of its own. A reader that decodes each as it comes
/// sleeps between any two, which costs about a fifth of the CPU time of a list on an idle machine (`cargo xtask bench
/// list`): presumably its code and data are gone from the processor's caches whenever it wakes.
///
/// - Order: the body's. What came before the end or a failure is handed on before it.
/// - Memory: none of its own; the receiver holds at most [`ENOUGH`] and a frame more than it has read.
/// - Time: no byte waits longer than [`PATIENCE`], and none that is the last, nor of the first [`LONG`].
#[derive(Debug)]
pub(super) struct Gather {
    body: Body,
    /// Bytes that were handed on; counted as far as it matters.
    seen: usize,
    /// Bytes that were handed on since the last portion was complete.
    waiting: usize,
    patience: Option<Pin<Box<Sleep>>>,
    /// Whether `patience` runs, for this portion.
    patient: bool,
    end: Option<Result<(), TransportError>>,
}

/// What [`Gather::poll`] has come to.
#[derive(Debug)]
pub(super) enum Gathered {
    /// A portion is complete.
    Portion,
    /// All is there.
    End,
    /// No more will come.
    Failed(TransportError),
}

impl Gather {
    pub(super) fn new(body: Body) -> Self {
        Self { body, seen: 0, waiting: 0, patience: None, patient: false, end: None }
    }

    /// Hands on the next frames. Not to be called again after the end or a failure.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, mut receive: impl FnMut(&[u8])) -> Poll<Gathered> {
        while self.end.is_none() && self.waiting < ENOUGH {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    if let Ok(chunk) = frame.into_data() {
                        receive(&chunk);
                        self.waiting += chunk.len();
                        self.seen = self.seen.saturating_add(chunk.len());
                    }
                }
                Poll::Ready(Some(Err(error))) => self.end = Some(Err(error)),
                Poll::Ready(None) => self.end = Some(Ok(())),
                Poll::Pending if self.waiting == 0 || !self.is_over(cx) => return Poll::Pending,
                Poll::Pending => break,
            }
        }
        if self.flush() {
            return Poll::Ready(Gathered::Portion);
        }
        Poll::Ready(match self.end.take() {
            Some(Err(error)) => Gathered::Failed(error),
            Some(Ok(())) | None => Gathered::End,
        })
    }

    /// Whether bytes have been handed on that are not yet a portion.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// Completes the portion as it is; `false` if nothing waits.
    pub(super) fn flush(&mut self) -> bool {
        self.patient = false;
        std::mem::take(&mut self.waiting) > 0
    }

    /// Whether the portion's bytes have waited long enough.
    fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        if self.seen < LONG {
            return true;
        }
        let patience = self.patience.get_or_insert_with(|| Box::pin(tokio::time::sleep(PATIENCE)));
        if !self.patient {
            self.patient = true;
            patience.as_mut().reset(Instant::now() + PATIENCE);
        }
        patience.as_mut().poll(cx).is_ready()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;

    use bytes::Bytes;
    use http_body::Frame;
    use tokio::sync::mpsc;

    use super::*;

    /// A body whose frames a test sends.
    struct Fed(mpsc::Receiver<Result<Bytes, std::io::Error>>);

    impl http_body::Body for Fed {
        type Data = Bytes;
        type Error = std::io::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
            self.0.poll_recv(cx).map(|bytes| bytes.map(|bytes| bytes.map(Frame::data)))
        }
    }

    /// Frames that are all there.
    struct Ready(VecDeque<Bytes>);

    impl http_body::Body for Ready {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.pop_front().map(|bytes| Ok(Frame::data(bytes))))
        }
    }

    fn fed() -> (mpsc::Sender<Result<Bytes, std::io::Error>>, Gather) {
        let (sender, receiver) = mpsc::channel(16);
        (sender, Gather::new(Body::new(Fed(receiver))))
    }

    async fn next(gather: &mut Gather) -> (Gathered, usize) {
        let mut bytes = 0;
        let gathered = std::future::poll_fn(|cx| gather.poll(cx, |chunk| bytes += chunk.len())).await;
        (gathered, bytes)
    }

    #[tokio::test(start_paused = true)]
    async fn frames_that_follow_one_another_come_together() {
        let (sender, mut gather) = fed();
        sender.send(Ok(Bytes::from(vec![7; LONG - 1]))).await.unwrap();
        assert!(matches!(next(&mut gather).await, (Gathered::Portion, bytes) if bytes == LONG - 1));
        let start = Instant::now();
        let server = tokio::spawn(async move {
            for _ in 0..10 {
                sender.send(Ok(Bytes::from_static(&[7; 100]))).await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            sender.send(Ok(Bytes::from_static(b"last"))).await.unwrap();
        });
        // Those of the first four milliseconds, though others keep coming.
        let (gathered, bytes) = next(&mut gather).await;
        assert!(matches!(gathered, Gathered::Portion), "{gathered:?}");
        assert!((300..=500).contains(&bytes), "{bytes}");
        assert_eq!(start.elapsed(), PATIENCE);
        let mut rest = 0;
        let end = loop {
            match next(&mut gather).await {
                (Gathered::Portion, bytes) => rest += bytes,
                (end, _) => break end,
            }
        };
        assert!(matches!(end, Gathered::End), "{end:?}");
        assert_eq!(bytes + rest, 1004);
        server.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_answer_waits_for_nothing() {
        let start = Instant::now();
        let mut gather = Gather::new(Body::from("short"));
        assert!(matches!(next(&mut gather).await, (Gathered::Portion, 5)));
        assert!(matches!(next(&mut gather).await, (Gathered::End, 0)));
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_portion_has_a_limit() {
        let frame = Bytes::from(vec![0; 100 * 1024]);
        let mut gather = Gather::new(Body::new(Ready(vec![frame; 7].into())));
        for expected in [300, 300, 100] {
            let (gathered, bytes) = next(&mut gather).await;
            assert!(matches!(gathered, Gathered::Portion), "{gathered:?}");
            assert_eq!(bytes, expected * 1024);
        }
        assert!(matches!(next(&mut gather).await, (Gathered::End, 0)));
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_before_a_failure_is_handed_on_first() {
        let (sender, mut gather) = fed();
        sender.send(Ok(Bytes::from_static(b"before"))).await.unwrap();
        sender.send(Err(std::io::Error::other("cut"))).await.unwrap();
        assert!(matches!(next(&mut gather).await, (Gathered::Portion, 6)));
        let (gathered, _) = next(&mut gather).await;
        assert!(
            matches!(&gathered, Gathered::Failed(error) if error.to_string().contains("cut")),
            "{gathered:?}"
        );
    }
}
