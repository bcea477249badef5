//! A byte stream that can be closed from elsewhere.
//!
//! Ending the tasks that drive an HTTP/2 connection is not enough: its streams go on until they end by themselves.
//! Where the connection must go, as with a certificate that has been replaced, the byte stream under it breaks.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::oneshot;

use super::forward::forward_writes;

/// Closes the stream that it was made with. Dropped, it leaves the stream alone.
#[derive(Debug)]
pub(super) struct Closer(oneshot::Sender<()>);

impl Closer {
    pub(super) fn close(self) {
        // The stream may be gone already.
        let _ = self.0.send(());
    }
}

/// A byte stream that reads as broken once its [`Closer`] says so.
#[derive(Debug)]
pub(super) struct Closable<S> {
    stream: S,
    state: State,
}

#[derive(Debug)]
enum State {
    Open(oneshot::Receiver<()>),
    /// Nobody can close it any more.
    Free,
    Closed,
}

impl<S> Closable<S> {
    pub(super) fn new(stream: S) -> (Self, Closer) {
        let (sender, receiver) = oneshot::channel();
        (Self { stream, state: State::Open(receiver) }, Closer(sender))
    }

    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if let State::Open(receiver) = &mut self.state {
            match Pin::new(receiver).poll(cx) {
                Poll::Ready(Ok(())) => self.state = State::Closed,
                Poll::Ready(Err(_)) => self.state = State::Free,
                Poll::Pending => {}
            }
        }
        match self.state {
            State::Closed => Err(io::Error::new(io::ErrorKind::ConnectionAborted, "closed on our side")),
            State::Open(_) | State::Free => Ok(()),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Closable<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Whoever drives a connection always reads, so that it is enough to wake the reader.
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

forward_writes!(Closable);

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn t8_10_01_closing_breaks_a_read_that_waits() {
        let (near, mut far) = duplex(64);
        let (mut near, closer) = Closable::new(near);
        far.write_all(b"a").await.unwrap();
        assert_eq!(near.read_u8().await.unwrap(), b'a');
        let reading = tokio::spawn(async move { near.read_u8().await });
        tokio::task::yield_now().await;
        closer.close();
        assert_eq!(reading.await.unwrap().unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
    }

    #[tokio::test]
    async fn a_closer_that_is_dropped_leaves_the_stream_alone() {
        let (near, mut far) = duplex(64);
        let (mut near, closer) = Closable::new(near);
        drop(closer);
        far.write_all(b"a").await.unwrap();
        assert_eq!(near.read_u8().await.unwrap(), b'a');
    }
}
