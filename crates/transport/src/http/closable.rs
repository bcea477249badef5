//! A byte stream that another task can close.
//!
//! Ending the tasks that drive an HTTP/2 connection is not enough: its streams continue until they end on their own. When the
//! connection must close, for example because a certificate was replaced, this breaks the byte stream below it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::oneshot;

use super::forward::forward_writes;

/// Closes the stream that it was created with. Dropping it has no effect on the stream.
#[derive(Debug)]
pub(super) struct Closer(oneshot::Sender<()>);

impl Closer {
    pub(super) fn close(self) {
        // The stream may have been dropped already.
        let _ = self.0.send(());
    }
}

/// A byte stream that returns an error after its [`Closer`] has closed it.
#[derive(Debug)]
pub(super) struct Closable<S> {
    stream: S,
    state: State,
}

#[derive(Debug)]
enum State {
    Open(oneshot::Receiver<()>),
    /// The closer was dropped.
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
            State::Closed => Err(io::Error::new(io::ErrorKind::ConnectionAborted, "closed by the client")),
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
        // The task that drives a connection always reads, so it is enough to wake the reader.
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
    async fn t8_10_01_closing_breaks_a_pending_read() {
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
