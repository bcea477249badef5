//! Batches the bytes of a long response, so that the reader wakes up less often.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use client_rs_transport::http::{Body, TransportError};
use http_body::Body as _;
use tokio::time::{Instant, Sleep};

/// A batch of this size is passed on at once.
const ENOUGH: usize = 256 * 1024;
/// Responses that are shorter than this end soon: none of their bytes wait.
const LONG: usize = 64 * 1024;
/// The longest time that bytes wait for more. A server that encodes a list item by item sends one about every tenth of a
/// millisecond. A slower server is not delayed noticeably.
const PATIENCE: Duration = Duration::from_millis(4);

/// A body whose frames are passed on in batches.
///
/// A server that encodes while it sends puts each item into its own frame. A reader that decodes each frame as it arrives
/// sleeps between any two, which costs about a fifth of the CPU time of a list on an idle machine (`cargo xtask bench
/// list`). The likely reason is that its code and data have left the processor's caches when it wakes up.
///
/// - Order: that of the body. Bytes that arrived before the end or a failure are passed on first.
/// - Memory: none of its own; the receiver holds at most [`ENOUGH`] plus one frame more than it has read.
/// - Time: no byte waits longer than [`PATIENCE`]. The last bytes and the first [`LONG`] bytes do not wait.
#[derive(Debug)]
pub(super) struct Gather {
    body: Body,
    /// The number of bytes that were passed on, up to the limit that matters.
    seen: usize,
    /// The number of bytes that were passed on since the last complete batch.
    waiting: usize,
    patience: Option<Pin<Box<Sleep>>>,
    /// Whether the timer runs for this batch.
    patient: bool,
    end: Option<Result<(), TransportError>>,
}

/// The result of [`Gather::poll`].
#[derive(Debug)]
pub(super) enum Gathered {
    /// A batch is complete.
    Portion,
    /// The body has ended.
    End,
    /// The body has failed.
    Failed(TransportError),
}

impl Gather {
    pub(super) fn new(body: Body) -> Self {
        Self { body, seen: 0, waiting: 0, patience: None, patient: false, end: None }
    }

    /// Passes the next frames to `receive`. Must not be called again after the end or a failure.
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

    /// Returns `true` if bytes of an incomplete batch have been passed on.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// Completes the current batch; `false` if it is empty.
    pub(super) fn flush(&mut self) -> bool {
        self.patient = false;
        std::mem::take(&mut self.waiting) > 0
    }

    /// Returns `true` if the bytes of the batch have waited long enough.
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

    /// Frames that are all available.
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
        // The frames of the first four milliseconds, although more keep arriving.
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
    async fn a_short_response_does_not_wait() {
        let start = Instant::now();
        let mut gather = Gather::new(Body::from("short"));
        assert!(matches!(next(&mut gather).await, (Gathered::Portion, 5)));
        assert!(matches!(next(&mut gather).await, (Gathered::End, 0)));
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_batch_has_a_limit() {
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
    async fn bytes_before_a_failure_are_passed_on_first() {
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
