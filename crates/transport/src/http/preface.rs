//! The server's first HTTP/2 frame, which announces how many streams it allows.
//!
//! The HTTP/2 library does not expose the number and queues requests beyond it. The pool needs the number to open another
//! connection instead. So this reads the first frame, which is always the settings frame, as it passes through.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

use super::forward::forward_writes;
use super::http2::LastRead;

const HEADER: usize = 9;
const SETTINGS: u8 = 4;
const MAX_CONCURRENT_STREAMS: u16 = 3;
/// The largest frame before any other size is negotiated.
const MAX_FRAME: usize = 16_384;

/// The stream limit in the server's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Streams {
    /// The settings have not arrived.
    Unknown,
    /// No limit.
    Unlimited,
    /// This many at once.
    Limit(usize),
}

/// Reads the first frame, in chunks of any size.
#[derive(Debug, Default)]
struct Reader {
    seen: Vec<u8>,
}

impl Reader {
    /// Takes bytes, and returns the result as soon as it is known.
    fn push(&mut self, bytes: &[u8]) -> Option<Streams> {
        let room = (HEADER + MAX_FRAME).saturating_sub(self.seen.len());
        self.seen.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let (header, payload) = self.seen.split_first_chunk::<HEADER>()?;
        let [a, b, c, kind, ..] = *header;
        let length = usize::try_from(u32::from_be_bytes([0, a, b, c])).unwrap_or(usize::MAX);
        if kind != SETTINGS || length > MAX_FRAME {
            // The HTTP/2 library will reject this.
            return Some(Streams::Unlimited);
        }
        let settings = payload.get(..length)?;
        let mut streams = Streams::Unlimited;
        for setting in settings.chunks_exact(6) {
            if let [id0, id1, v0, v1, v2, v3] = *setting
                && u16::from_be_bytes([id0, id1]) == MAX_CONCURRENT_STREAMS
            {
                let limit = u32::from_be_bytes([v0, v1, v2, v3]);
                streams = Streams::Limit(usize::try_from(limit).unwrap_or(usize::MAX));
            }
        }
        Some(streams)
    }
}

/// A byte stream that reports the stream limit in its first frame, and the time of its last read.
#[derive(Debug)]
pub(super) struct Preface<S> {
    stream: S,
    reader: Option<(Reader, watch::Sender<Streams>)>,
    reads: Arc<LastRead>,
}

impl<S> Preface<S> {
    pub(super) fn new(stream: S) -> (Self, watch::Receiver<Streams>, Arc<LastRead>) {
        let (sender, receiver) = watch::channel(Streams::Unknown);
        let (reader, reads) = (Some((Reader::default(), sender)), Arc::new(LastRead::now()));
        (Self { stream, reader, reads: Arc::clone(&reads) }, receiver, reads)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Preface<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.reads.record();
        }
        if let Some((reader, sender)) = &mut self.reader
            && let Some(streams) = reader.push(&buf.filled()[before..])
        {
            // The receiver is gone if the connection was abandoned.
            let _ = sender.send(streams);
            self.reader = None;
        }
        outcome
    }
}

forward_writes!(Preface);

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, settings: &[(u16, u32)]) -> Vec<u8> {
        let length = u8::try_from(settings.len() * 6).unwrap();
        let mut frame = vec![0, 0, length, kind, 0, 0, 0, 0, 0];
        for (id, value) in settings {
            frame.extend_from_slice(&id.to_be_bytes());
            frame.extend_from_slice(&value.to_be_bytes());
        }
        frame
    }

    #[test]
    fn the_limit_is_read_in_chunks_of_any_size() {
        let bytes = frame(SETTINGS, &[(4, 65_535), (MAX_CONCURRENT_STREAMS, 100), (5, 16_384)]);
        for size in 1..=bytes.len() {
            let mut reader = Reader::default();
            let found: Vec<_> = bytes.chunks(size).filter_map(|chunk| reader.push(chunk)).collect();
            assert_eq!(found, [Streams::Limit(100)], "{size}");
        }
    }

    #[test]
    fn without_a_limit_or_without_settings_there_is_none() {
        assert_eq!(Reader::default().push(&frame(SETTINGS, &[])), Some(Streams::Unlimited));
        assert_eq!(Reader::default().push(&frame(6, &[(3, 5)])), Some(Streams::Unlimited));
        assert_eq!(Reader::default().push(b"HTTP/1.1 400 Bad Request\r\n"), Some(Streams::Unlimited));
        assert_eq!(Reader::default().push(b"\0\0"), None);
    }
}
