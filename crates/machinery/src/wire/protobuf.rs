//! Protobuf's wire format: a forward reader and a backward writer.
//!
//! The writer fills its buffer from the end towards the front, so that a message's length is known by the
//! time it must be written and nothing is measured twice.

use super::{DecodeError, DecodeErrorKind};

const NO_WIRE_TYPE: &str = "a wire type that Kubernetes does not use";

/// One field's content as it stands on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chunk<'a> {
    /// Wire type 0.
    Varint(u64),
    /// Wire type 1.
    Fixed64(u64),
    /// Wire type 2.
    Bytes(&'a [u8]),
    /// Wire type 5.
    Fixed32(u32),
}

impl Chunk<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Varint(_) => "a varint",
            Self::Fixed64(_) => "a 64-bit value",
            Self::Bytes(_) => "a length-delimited value",
            Self::Fixed32(_) => "a 32-bit value",
        }
    }
}

impl<'a> Chunk<'a> {
    /// The bytes of a length-delimited chunk.
    pub fn bytes(self) -> Result<&'a [u8], DecodeError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            other => Err(DecodeError::wrong_type("a length-delimited value", other.name())),
        }
    }

    /// The number of a varint chunk.
    pub fn varint(self) -> Result<u64, DecodeError> {
        match self {
            Self::Varint(number) => Ok(number),
            other => Err(DecodeError::wrong_type("a varint", other.name())),
        }
    }
}

/// Reads fields one by one from a message's bytes; borrows, never copies.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// How many bytes have been read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The bytes from an earlier position up to this one.
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.position).unwrap_or_default()
    }

    /// The next field's number and content; `None` at the end.
    ///
    /// A group (wire types 3 and 4) is not Kubernetes' and is an error.
    #[inline]
    pub fn next_field(&mut self) -> Result<Option<(u32, Chunk<'a>)>, DecodeError> {
        if self.position == self.bytes.len() {
            return Ok(None);
        }
        let (number, wire_type) = self.tag()?;
        let chunk = match wire_type {
            0 => Chunk::Varint(self.varint()?),
            1 => Chunk::Fixed64(u64::from_le_bytes(self.array()?)),
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| self.truncated())?;
                Chunk::Bytes(self.take(length)?)
            }
            5 => Chunk::Fixed32(u32::from_le_bytes(self.array()?)),
            _ => return Err(self.malformed(NO_WIRE_TYPE)),
        };
        Ok(Some((number, chunk)))
    }

    /// The next field's number, whether it is length-delimited, and how many bytes of it follow; those of a
    /// varint are taken. `None` at the end.
    ///
    /// For a stream, which has a field's header before its content.
    pub(crate) fn next_header(&mut self) -> Result<Option<(u32, bool, u64)>, DecodeError> {
        if self.position == self.bytes.len() {
            return Ok(None);
        }
        let (number, wire_type) = self.tag()?;
        let (delimited, content) = match wire_type {
            0 => (false, self.varint().map(|_| 0)?),
            1 => (false, 8),
            2 => (true, self.varint()?),
            5 => (false, 4),
            _ => return Err(self.malformed(NO_WIRE_TYPE)),
        };
        Ok(Some((number, delimited, content)))
    }

    /// Passes over the length-delimited fields of this number that follow at once; says how many.
    ///
    /// What is malformed ends the run and is reported by whoever reads on.
    pub fn skip_run(&mut self, number: u32) -> usize {
        let mut count = 0;
        loop {
            let behind = self.position;
            match self.next_field() {
                Ok(Some((next, Chunk::Bytes(_)))) if next == number => count += 1,
                _ => {
                    self.position = behind;
                    return count;
                }
            }
        }
    }

    /// The next number of a packed record; `None` at the end.
    pub fn next_packed(&mut self) -> Result<Option<Chunk<'a>>, DecodeError> {
        if self.position == self.bytes.len() {
            return Ok(None);
        }
        self.varint().map(|number| Some(Chunk::Varint(number)))
    }

    /// A field's number and wire type.
    #[inline]
    fn tag(&mut self) -> Result<(u32, u64), DecodeError> {
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).map_err(|_| self.malformed("a field number out of range"))?;
        if number == 0 {
            return Err(self.malformed("a field with number 0"));
        }
        Ok((number, tag & 7))
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, DecodeError> {
        // One byte is the usual case: tags up to 15 and lengths up to 127.
        if let Some(&byte) = self.bytes.get(self.position)
            && byte < 0x80
        {
            self.position += 1;
            return Ok(u64::from(byte));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let &byte = self.bytes.get(self.position).ok_or_else(|| self.truncated())?;
            self.position += 1;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.malformed("a varint longer than 64 bits"))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| self.truncated())
    }

    #[inline]
    fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.position.checked_add(length).ok_or_else(|| self.truncated())?;
        let bytes = self.bytes.get(self.position..end).ok_or_else(|| self.truncated())?;
        self.position = end;
        Ok(bytes)
    }

    #[cold]
    fn truncated(&self) -> DecodeError {
        DecodeError::new(DecodeErrorKind::Truncated).at(self.position)
    }

    #[cold]
    fn malformed(&self, what: &'static str) -> DecodeError {
        DecodeError::new(DecodeErrorKind::Malformed(what)).at(self.position)
    }
}

/// Writes a message from its last byte to its first.
///
/// Call order is therefore the reverse of the wire's: the last field first, and of each field the content
/// before its length and its tag.
#[derive(Debug, Default)]
pub struct Writer {
    /// Filled from the back: `buffer[start..]` is what has been written.
    buffer: Vec<u8>,
    start: usize,
}

impl Writer {
    /// An empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many bytes have been written.
    pub fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets what was written; keeps the memory.
    pub fn clear(&mut self) {
        self.start = self.buffer.len();
    }

    /// What has been written.
    pub fn as_slice(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// What has been written, as a vector of its own.
    pub fn into_vec(mut self) -> Vec<u8> {
        self.buffer.drain(..self.start);
        self.buffer
    }

    /// Puts bytes before what has been written.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        if self.start < bytes.len() {
            self.grow(bytes.len());
        }
        let start = self.start - bytes.len();
        self.buffer[start..self.start].copy_from_slice(bytes);
        self.start = start;
    }

    /// Puts a varint before what has been written.
    #[inline]
    pub fn put_varint(&mut self, mut value: u64) {
        if value < 0x80 {
            return self.put_byte(u8::try_from(value).unwrap_or_default());
        }
        let mut bytes = [0u8; 10];
        let mut length = 0;
        while value >= 0x80 {
            bytes[length] = u8::try_from(value & 0x7f).unwrap_or_default() | 0x80;
            value >>= 7;
            length += 1;
        }
        bytes[length] = u8::try_from(value).unwrap_or_default();
        self.put(&bytes[..=length]);
    }

    /// Puts the tag of a varint field.
    #[inline]
    pub fn tag_varint(&mut self, number: u32) {
        self.put_varint(u64::from(number) << 3);
    }

    /// Puts the tag of a 64-bit field.
    #[inline]
    pub fn tag_fixed64(&mut self, number: u32) {
        self.put_varint(u64::from(number) << 3 | 1);
    }

    /// Puts length and tag of what has been written since `end` bytes were there.
    #[inline]
    pub fn tag_bytes(&mut self, number: u32, end: usize) {
        let length = self.len() - end;
        self.put_varint(length as u64);
        self.put_varint(u64::from(number) << 3 | 2);
    }

    #[inline]
    fn put_byte(&mut self, byte: u8) {
        if self.start == 0 {
            self.grow(1);
        }
        self.start -= 1;
        self.buffer[self.start] = byte;
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let written = self.len();
        let capacity = (self.buffer.len() * 2).max(written + needed).max(256);
        let mut buffer = vec![0; capacity];
        buffer[capacity - written..].copy_from_slice(self.as_slice());
        self.start = capacity - written;
        self.buffer = buffer;
    }
}
