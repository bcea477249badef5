//! Response bodies, read within a time limit.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use client_rs_transport::http::{Body, TransportError};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::{Instant, Sleep};

use super::deadline::{Deadline, Timer};

/// The next part of a response, or an error if nothing arrives in time. It is pinned where it is, because this future would hold
/// it twice.
pub(super) async fn next<T>(
    limit: Option<Duration>,
    coming: Pin<&mut impl Future<Output = Result<T, TransportError>>>,
) -> Result<T, TransportError> {
    match limit {
        None => coming.await,
        Some(limit) => tokio::time::timeout(limit, coming).await.unwrap_or_else(|_| Err(stalled(limit))),
    }
}

/// A body that was not read to its end.
#[derive(Debug)]
pub(super) enum Unread {
    /// It broke off, or no bytes arrived for too long.
    Lost(TransportError),
    /// It is larger than the limit.
    TooLarge,
}

/// Collects all bytes of a body, at most `most`.
pub(super) fn collect(
    mut body: Body,
    most: usize,
    patience: Option<Duration>,
) -> impl Future<Output = Result<Bytes, Unread>> {
    /// The largest `Content-Length` for which memory is allocated in advance.
    const TRUSTED: usize = 16 * 1024 * 1024;
    // An `async fn` would hold its body twice.
    async move {
        let expected = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if expected > most {
            return Err(Unread::TooLarge);
        }
        let (mut first, mut all) = (Bytes::new(), BytesMut::new());
        loop {
            let frame = pin!(async { body.frame().await.transpose() });
            let frame = next(patience, frame).await.map_err(Unread::Lost)?;
            let Some(frame) = frame else { break };
            let Ok(data) = frame.into_data() else { continue };
            if data.len() > most - first.len() - all.len() {
                return Err(Unread::TooLarge);
            }
            if first.is_empty() && all.is_empty() {
                // Most bodies have only one chunk.
                first = data;
                continue;
            }
            if !first.is_empty() {
                all.reserve(expected.min(TRUSTED));
                all.extend_from_slice(&std::mem::take(&mut first));
            }
            all.extend_from_slice(&data);
        }
        Ok(if all.is_empty() { first } else { all.freeze() })
    }
}

/// A body that fails at the deadline, or if the next bytes take too long while a reader waits for them.
pub(super) fn timed(body: Body, deadline: Deadline, patience: Option<Duration>) -> Body {
    let deadline = deadline.timer();
    if deadline.is_none() && patience.is_none() {
        return body;
    }
    let max_collected = body.max_collected();
    let halt = patience.map(|limit| Halt { limit, timer: None, waiting: false });
    Body::new(TimedBody { body, deadline, halt }).with_max_collected(max_collected)
}

struct TimedBody {
    body: Body,
    deadline: Option<Timer>,
    halt: Option<Halt>,
}

/// The time limit for the next bytes.
struct Halt {
    limit: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether the timer runs. A slow reader does not wait for anything.
    waiting: bool,
}

impl http_body::Body for TimedBody {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        let Self { body, deadline, halt } = &mut *self;
        if let Some(deadline) = deadline
            && let Poll::Ready(limit) = deadline.poll_elapsed(cx)
        {
            return Poll::Ready(Some(Err(timed_out(format!("took longer than {limit:?}")))));
        }
        let frame = Pin::new(body).poll_frame(cx);
        match (frame, halt) {
            (frame, None) => frame,
            (Poll::Ready(frame), Some(halt)) => {
                halt.waiting = false;
                Poll::Ready(frame)
            }
            (Poll::Pending, Some(halt)) => halt.poll(cx).map(|limit| Some(Err(stalled(limit)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Halt {
    /// Ready when no bytes have arrived for too long.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Duration> {
        let Self { limit, timer, waiting } = self;
        let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(*limit)));
        if !std::mem::replace(waiting, true) {
            // A limit that the clock can't represent is the same as no limit.
            let never = || Instant::now() + Duration::from_hours(24 * 365);
            timer.as_mut().reset(Instant::now().checked_add(*limit).unwrap_or_else(never));
        }
        ready!(timer.as_mut().poll(cx));
        *waiting = false;
        Poll::Ready(*limit)
    }
}

fn stalled(limit: Duration) -> TransportError {
    timed_out(format!("no bytes of the response arrived for {limit:?}"))
}

fn timed_out(why: String) -> TransportError {
    TransportError::Other(io::Error::new(io::ErrorKind::TimedOut, why).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its chunks and then stays pending forever.
    struct Halts(Vec<&'static [u8]>);

    impl http_body::Body for Halts {
        type Data = Bytes;
        type Error = TransportError;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
            match self.0.pop() {
                Some(chunk) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(chunk))))),
                None => Poll::Pending,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stalls_is_an_error_and_a_slow_reader_is_not() {
        let limit = Duration::from_mins(1);
        let lost = collect(Body::new(Halts(vec![b"b", b"a"])), 10, Some(limit)).await.unwrap_err();
        assert!(matches!(&lost, Unread::Lost(error) if error.is_timeout()), "{lost:?}");
        let mut body = timed(Body::new(Halts(vec![b"b", b"a"])), Deadline::after(None), Some(limit));
        for expected in ["a", "b"] {
            tokio::time::sleep(limit * 3).await;
            assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), expected);
        }
        let begun = Instant::now();
        assert!(body.frame().await.unwrap().unwrap_err().is_timeout());
        assert_eq!(begun.elapsed(), limit);
    }

    #[tokio::test]
    async fn no_more_is_read_than_the_limit() {
        let chunks = || Body::new(http_body_util::StreamBody::new(Chunks(5)));
        assert_eq!(collect(chunks(), 20, None).await.unwrap(), "abcd".repeat(5));
        assert!(matches!(collect(chunks(), 19, None).await, Err(Unread::TooLarge)));
        assert!(matches!(collect(Body::from("abc"), 2, None).await, Err(Unread::TooLarge)));
        assert_eq!(collect(Body::from("abc"), 3, None).await.unwrap(), "abc");
        assert_eq!(collect(Body::empty(), 0, None).await.unwrap(), "");
    }

    struct Chunks(usize);

    impl futures_core::Stream for Chunks {
        type Item = Result<Frame<Bytes>, TransportError>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            if self.0 == 0 {
                return Poll::Ready(None);
            }
            self.0 -= 1;
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"abcd")))))
        }
    }
}
