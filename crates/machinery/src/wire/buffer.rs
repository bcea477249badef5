//! Bytes that have arrived and are not yet read.

/// The capacity that the buffer keeps for the next chunk after everything in it has been read.
const RETAINED: usize = 256 * 1024;

/// Bytes between a stream and its reader: chunks in at the back, values out at the front.
///
/// It grows only with bytes that have arrived, never with a length that they announce, and frees memory after a giant
/// value.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    /// `bytes[..start]` has been read.
    start: usize,
    /// How many bytes of the stream lie before `bytes`.
    dropped: usize,
}

impl Buffer {
    /// Appends what has arrived.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.compact();
        self.bytes.extend_from_slice(chunk);
    }

    /// The bytes that have arrived and are not yet read.
    #[inline]
    pub(crate) fn unread(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Marks bytes as read, and returns them: they stay in place until the next `push` or `reclaim`.
    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Taken {
        let start = self.start;
        self.start = (start + length).min(self.bytes.len());
        Taken { start, end: self.start }
    }

    /// The bytes of a `take`.
    #[inline]
    pub(crate) fn taken(&self, taken: &Taken) -> &[u8] {
        self.bytes.get(taken.start..taken.end).unwrap_or_default()
    }

    /// The next byte that is not JSON's white space; what precedes it is read.
    #[inline]
    pub(crate) fn peek_token(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.get(self.start) {
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(*byte);
            }
            self.start += 1;
        }
        None
    }

    /// The place of the first unread byte in the whole stream.
    pub(crate) fn offset(&self) -> usize {
        self.dropped + self.start
    }

    /// The end of what has arrived, in the whole stream.
    pub(crate) fn end(&self) -> usize {
        self.dropped + self.bytes.len()
    }

    /// Frees memory that the unread bytes do not need. Called when the reader must wait for more bytes.
    pub(crate) fn reclaim(&mut self) {
        self.compact();
        if self.bytes.capacity() > RETAINED && self.bytes.len() < self.bytes.capacity() / 4 {
            self.bytes.shrink_to(RETAINED.max(self.bytes.len() * 2));
        }
    }

    fn compact(&mut self) {
        // Moved only when at least as much has been read as must be moved: each byte moves O(1) times.
        let unread = self.bytes.len() - self.start;
        if self.start >= unread && self.start > 0 {
            self.bytes.copy_within(self.start.., 0);
            self.bytes.truncate(unread);
            self.dropped += self.start;
            self.start = 0;
        }
    }

    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }
}

/// A place in a [`Buffer`].
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    start: usize,
    end: usize,
}

impl Taken {
    /// A part of it.
    pub(crate) fn slice(&self, start: usize, end: usize) -> Self {
        Self { start: self.start + start, end: self.start + end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_bytes_stay_until_the_next_push() {
        let mut buffer = Buffer::default();
        buffer.push(b"abcdef");
        let first = buffer.take(2);
        let second = buffer.take(3);
        assert_eq!((buffer.taken(&first), buffer.taken(&second)), (&b"ab"[..], &b"cde"[..]));
        assert_eq!((buffer.unread(), buffer.offset(), buffer.end()), (&b"f"[..], 5, 6));
        buffer.push(b"g");
        assert_eq!((buffer.unread(), buffer.offset(), buffer.end()), (&b"fg"[..], 5, 7));
    }

    #[test]
    fn a_giant_value_does_not_keep_its_memory() {
        let mut buffer = Buffer::default();
        for _ in 0..64 {
            buffer.push(&vec![0; 256 * 1024]);
        }
        assert!(buffer.capacity() >= 16 * 1024 * 1024);
        buffer.take(16 * 1024 * 1024 - 10);
        buffer.reclaim();
        assert_eq!(buffer.unread().len(), 10);
        assert!(buffer.capacity() <= 2 * RETAINED, "{}", buffer.capacity());
    }

    #[test]
    fn reading_each_chunk_at_once_needs_one_chunk_of_memory() {
        let mut buffer = Buffer::default();
        for _ in 0..1000 {
            buffer.push(&[7; 1000]);
            buffer.take(buffer.unread().len().saturating_sub(100));
        }
        assert!(buffer.capacity() <= 4096, "{}", buffer.capacity());
    }
}
