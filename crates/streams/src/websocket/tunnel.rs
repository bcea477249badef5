//! Bytes in the messages of a WebSocket.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::codec::{Codec, Piece};
use crate::Role;
use crate::mux::read_into;

/// A byte stream in the binary messages of a WebSocket; where messages end does not matter.
///
/// A goodbye of the other side is the end of the stream; one that is not normal, a text message or a broken frame is an
/// error. Pings are answered when the stream is next read or written.
#[derive(Debug)]
pub struct Tunnel<S> {
    io: S,
    codec: Codec,
    input: BytesMut,
    /// Taken out of messages, and not read yet.
    inbound: BytesMut,
    out: BytesMut,
    ended: bool,
    goodbye: bool,
}

/// The number of unsent bytes at which writers wait.
const MOST: usize = 64 * 1024;

impl<S: AsyncRead + AsyncWrite + Unpin> Tunnel<S> {
    /// A tunnel through a connection that has become a WebSocket.
    pub fn new(io: S, role: Role) -> Self {
        Self {
            io,
            codec: Codec::new(role),
            input: BytesMut::new(),
            inbound: BytesMut::new(),
            out: BytesMut::new(),
            ended: false,
            goodbye: false,
        }
    }

    fn send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.out.is_empty() {
            let written = ready!(Pin::new(&mut self.io).poll_write(cx, &self.out))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.out.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    /// The next bytes of a message, if there are any in the input.
    fn piece(&mut self) -> io::Result<Option<BytesMut>> {
        let bad = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        while !self.ended {
            let before = self.input.len();
            match self.codec.decode(&mut self.input).map_err(bad)? {
                Some(Piece::Message { text: false, data, .. }) if data.is_empty() => {}
                Some(Piece::Message { text: false, data, .. }) => return Ok(Some(data)),
                Some(Piece::Message { .. }) => return Err(bad(super::codec::bad("a message of text"))),
                Some(Piece::Ping(data)) => self.codec.pong(&mut self.out, &data),
                Some(Piece::Close { code: 1000 | 1001 | 1005, .. }) => self.ended = true,
                Some(Piece::Close { code, reason }) => {
                    return Err(bad(super::codec::bad(format!("closed with code {code}: {reason}"))));
                }
                None if self.input.len() == before => break,
                Some(Piece::Pong) | None => {}
            }
        }
        Ok(None)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Tunnel<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let tunnel = &mut *self;
        loop {
            if !tunnel.inbound.is_empty() {
                let length = buf.remaining().min(tunnel.inbound.len());
                buf.put_slice(&tunnel.inbound[..length]);
                tunnel.inbound.advance(length);
                return Poll::Ready(Ok(()));
            }
            let piece = tunnel.piece()?;
            if !tunnel.out.is_empty() {
                // An answer to a ping; if it does not fit now, the next write takes it along. If nothing can be written any more, the
                // next write says so: what the other side sent before it closed the connection is still read.
                if let Poll::Ready(Err(_)) = tunnel.send(cx) {
                    tunnel.out.clear();
                }
            }
            if let Some(data) = piece {
                let (now, later) = data.split_at(buf.remaining().min(data.len()));
                buf.put_slice(now);
                tunnel.inbound.extend_from_slice(later);
                return Poll::Ready(Ok(()));
            }
            if tunnel.ended {
                return Poll::Ready(Ok(()));
            }
            if ready!(read_into(&mut tunnel.io, &mut tunnel.input, cx))? == 0 {
                tunnel.ended = true;
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Tunnel<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let tunnel = &mut *self;
        if tunnel.out.len() >= MOST {
            ready!(tunnel.send(cx))?;
        }
        let part = buf.get(..MOST).unwrap_or(buf);
        if !part.is_empty() {
            tunnel.codec.message(&mut tunnel.out, &[part]);
        }
        match tunnel.send(cx) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            // It is ours now, sent or not.
            Poll::Ready(Ok(())) | Poll::Pending => Poll::Ready(Ok(part.len())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.send(cx))?;
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let tunnel = &mut *self;
        if !std::mem::replace(&mut tunnel.goodbye, true) {
            tunnel.codec.close(&mut tunnel.out);
        }
        ready!(tunnel.send(cx))?;
        Pin::new(&mut tunnel.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn t8_2_09_bytes_go_both_ways_and_end() {
        let (near, far) = duplex(1024);
        let (mut near, mut far) = (Tunnel::new(near, Role::Client), Tunnel::new(far, Role::Server));
        let sent: Vec<u8> = (0..200_000_u32).map(|number| number.to_le_bytes()[1]).collect();
        let expected = sent.clone();
        let writing = tokio::spawn(async move {
            near.write_all(&sent).await.unwrap();
            near.flush().await.unwrap();
            let mut answer = [0; 2];
            near.read_exact(&mut answer).await.unwrap();
            near.shutdown().await.unwrap();
            answer
        });
        let mut got = vec![0; expected.len()];
        far.read_exact(&mut got).await.unwrap();
        assert!(got == expected);
        far.write_all(b"ok").await.unwrap();
        far.flush().await.unwrap();
        assert_eq!(writing.await.unwrap(), *b"ok");
        assert_eq!(far.read(&mut [0]).await.unwrap(), 0, "a goodbye is the end");
    }

    #[tokio::test]
    async fn t8_2_09_text_and_garbage_are_errors() {
        for bytes in [&[0x81, 1, b'a'][..], &[0xff, 0xff], &[0x88, 2, 0x03, 0xf3]] {
            let (near, mut far) = duplex(64);
            far.write_all(bytes).await.unwrap();
            let error = Tunnel::new(near, Role::Client).read(&mut [0]).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
    }

    #[tokio::test]
    async fn what_was_sent_is_read_though_an_answer_can_not_be_written() {
        let (closed, _) = duplex(64);
        let sent = [0x89, 0, 0x82, 5, b'w', b'o', b'r', b'd', b's'];
        let mut tunnel = Tunnel::new(tokio::io::join(&sent[..], closed), Role::Client);
        let mut got = String::new();
        tunnel.read_to_string(&mut got).await.unwrap();
        assert_eq!(got, "words");
        assert!(tunnel.write_all(b"more").await.is_err());
    }
}
