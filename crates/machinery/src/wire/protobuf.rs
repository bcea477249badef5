//! Protobuf's wire format: a forward reader and a backward writer.
//!
//! The writer fills its buffer from the end towards the front, so that a message's length is known when it must be
//! written, and nothing is measured twice.

use super::{DecodeError, DecodeErrorKind};

const NO_WIRE_TYPE: &str = "a wire type that Kubernetes does not use";

/// The content of one field, in its form on the wire.
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
    /// Returns the bytes of a length-delimited chunk.
    pub fn bytes(self) -> Result<&'a [u8], DecodeError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            other => Err(DecodeError::wrong_type("a length-delimited value", other.name())),
        }
    }

    /// Returns the number of a varint chunk.
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
    /// Creates a reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Returns how many bytes have been read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the bytes from an earlier position up to this one.
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.position).unwrap_or_default()
    }

    /// Returns the next field's number and content; `None` at the end.
    ///
    /// Kubernetes has no groups (wire types 3 and 4): a group is an error.
    pub fn next_field(&mut self) -> Result<Option<(u32, Chunk<'a>)>, DecodeError> {
        self.next_field_inlined()
    }

    /// [`next_field`](Self::next_field), for the two loops that handle every field.
    #[allow(clippy::inline_always)] // A call for every field of every message shows in a profile.
    #[inline(always)]
    pub(crate) fn next_field_inlined(&mut self) -> Result<Option<(u32, Chunk<'a>)>, DecodeError> {
        let (number, wire_type) = match self.bytes.get(self.position) {
            None => return Ok(None),
            // A tag of one byte: numbers from 1 to 15.
            Some(&tag @ 8..0x80) => {
                self.position += 1;
                (u32::from(tag >> 3), u64::from(tag & 7))
            }
            Some(_) => self.tag()?,
        };
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

    /// Returns the next field's number, whether it is length-delimited, and how many bytes of it follow; those of a
    /// varint are already read. Returns `None` at the end.
    ///
    /// For a stream, in which a field's header arrives before its content.
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

    /// Skips the length-delimited fields of this number that follow immediately; returns how many.
    ///
    /// A malformed field ends the run. The next read reports it.
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

    /// Returns the next number of a packed record; `None` at the end.
    pub fn next_packed(&mut self) -> Result<Option<Chunk<'a>>, DecodeError> {
        if self.position == self.bytes.len() {
            return Ok(None);
        }
        self.varint().map(|number| Some(Chunk::Varint(number)))
    }

    /// Reads a field's number and wire type.
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
/// So the order of calls is the reverse of the wire's: the last field first, and for each field the content before
/// its length and its tag.
#[derive(Debug, Default)]
pub struct Writer {
    /// Filled from the back: `buffer[start..]` has been written.
    buffer: Vec<u8>,
    start: usize,
}

impl Writer {
    /// Creates an empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many bytes have been written.
    pub fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the content; keeps the memory.
    pub fn clear(&mut self) {
        self.start = self.buffer.len();
    }

    /// Returns the bytes written so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Returns the bytes written so far as a vector.
    pub fn into_vec(mut self) -> Vec<u8> {
        self.buffer.drain(..self.start);
        self.buffer
    }

    /// Puts bytes before the bytes written so far.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        if self.start < bytes.len() {
            self.grow(bytes.len());
        }
        let start = self.start - bytes.len();
        self.buffer[start..self.start].copy_from_slice(bytes);
        self.start = start;
    }

    /// Puts a varint before the bytes written so far.
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

    /// Puts the length and the tag of the bytes written since the writer had `end` bytes.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(bytes: &[u8]) -> Result<Vec<(u32, Chunk<'_>)>, DecodeError> {
        let mut reader = Reader::new(bytes);
        let mut fields = Vec::new();
        while let Some(field) = reader.next_field()? {
            fields.push(field);
        }
        Ok(fields)
    }

    fn put(number: u32, chunk: Chunk<'_>, writer: &mut Writer) {
        match chunk {
            Chunk::Varint(value) => {
                writer.put_varint(value);
                writer.tag_varint(number);
            }
            Chunk::Fixed64(value) => {
                writer.put(&value.to_le_bytes());
                writer.tag_fixed64(number);
            }
            Chunk::Bytes(bytes) => {
                let end = writer.len();
                writer.put(bytes);
                writer.tag_bytes(number, end);
            }
            Chunk::Fixed32(value) => {
                writer.put(&value.to_le_bytes());
                writer.put_varint(u64::from(number) << 3 | 5);
            }
        }
    }

    #[test]
    fn every_wire_type_is_read() {
        let bytes = b"\x08\x96\x01\x11\x01\0\0\0\0\0\0\x80\x1a\x03abc\x25\x02\0\0\0\xfa\x01\x00";
        let expected = [
            (1, Chunk::Varint(150)),
            (2, Chunk::Fixed64(0x8000_0000_0000_0001)),
            (3, Chunk::Bytes(b"abc")),
            (4, Chunk::Fixed32(2)),
            (31, Chunk::Bytes(b"")),
        ];
        assert_eq!(all(bytes).unwrap(), expected);
    }

    #[test]
    fn varints_have_64_bits() {
        for (bytes, expected) in [
            (&b"\x08\x00"[..], 0),
            (b"\x08\x7f", 127),
            (b"\x08\x80\x01", 128),
            // Longer than necessary, which protobuf allows.
            (b"\x08\x81\x80\x80\x00", 1),
            (b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", u64::MAX),
            (b"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 1 << 63),
        ] {
            assert_eq!(all(bytes).unwrap(), [(1, Chunk::Varint(expected))]);
        }
        for bytes in [
            &b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"[..],
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x80\x00",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert!(matches!(all(bytes).unwrap_err().kind(), DecodeErrorKind::Malformed(_)), "{bytes:?}");
        }
    }

    #[test]
    fn tags_that_do_not_exist_are_refused() {
        // Number 0, groups, the two unused wire types, a number of more than 32 bits.
        for bytes in [
            &b"\x00\x00"[..],
            b"\x02\x00",
            b"\x0b",
            b"\x0c",
            b"\x0e",
            b"\x0f",
            b"\x80\x80\x80\x80\x80\x80\x01\x00",
        ] {
            assert!(matches!(all(bytes).unwrap_err().kind(), DecodeErrorKind::Malformed(_)), "{bytes:?}");
            let header = Reader::new(bytes).next_header().unwrap_err();
            assert!(matches!(header.kind(), DecodeErrorKind::Malformed(_)), "{bytes:?}");
        }
    }

    #[test]
    fn lengths_beyond_the_input_are_truncated() {
        for bytes in [
            &b"\x0a"[..],
            b"\x0a\x01",
            b"\x0a\x05abcd",
            b"\x0a\xff\xff\xff\xff\x0f",
            b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x08",
            b"\x08\x80",
            b"\x09\0\0\0\0\0\0\0",
            b"\x0d\0\0\0",
            b"\x80",
        ] {
            let error = all(bytes).unwrap_err();
            assert_eq!(error.kind(), &DecodeErrorKind::Truncated, "{bytes:?}");
            assert!(error.offset().is_some_and(|offset| offset <= bytes.len()));
        }
    }

    #[test]
    fn a_chunk_of_another_type_is_an_error() {
        assert!(Chunk::Varint(1).bytes().unwrap_err().to_string().contains("found a varint"));
        assert!(Chunk::Fixed32(1).bytes().unwrap_err().to_string().contains("found a 32-bit value"));
        assert!(Chunk::Fixed64(1).varint().unwrap_err().to_string().contains("found a 64-bit value"));
        assert!(Chunk::Bytes(b"").varint().unwrap_err().to_string().contains("found a length-delimited"));
    }

    #[test]
    fn a_run_ends_at_another_field_or_a_mistake() {
        let mut reader = Reader::new(b"\x0a\x01a\x0a\x01b\x12\x01c\x0a\x01d");
        assert_eq!(reader.skip_run(1), 2);
        assert_eq!((reader.position(), reader.since(3)), (6, &b"\x0a\x01b"[..]));
        assert_eq!(reader.skip_run(1), 0);
        assert_eq!(reader.skip_run(2), 1);
        let mut cut = Reader::new(b"\x0a\x01a\x0a\x09b");
        assert_eq!((cut.skip_run(1), cut.position()), (1, 3));
        assert!(cut.next_field().is_err());
        // A varint of the same number does not belong to it.
        assert_eq!(Reader::new(b"\x08\x01").skip_run(1), 0);
    }

    #[test]
    fn packed_numbers_come_one_by_one() {
        let mut reader = Reader::new(b"\x01\x96\x01");
        assert_eq!(reader.next_packed().unwrap(), Some(Chunk::Varint(1)));
        assert_eq!(reader.next_packed().unwrap(), Some(Chunk::Varint(150)));
        assert_eq!(reader.next_packed().unwrap(), None);
        assert!(Reader::new(b"\x80").next_packed().is_err());
    }

    #[test]
    fn a_cleared_writer_starts_empty() {
        let mut writer = Writer::new();
        writer.put(b"old");
        writer.clear();
        assert!(writer.is_empty());
        writer.put(b"new");
        assert_eq!((writer.len(), writer.as_slice()), (3, &b"new"[..]));
        assert_eq!(writer.into_vec(), b"new");
    }

    #[derive(Clone, Debug)]
    enum Owned {
        Varint(u64),
        Fixed64(u64),
        Bytes(Vec<u8>),
        Fixed32(u32),
    }

    impl Owned {
        fn chunk(&self) -> Chunk<'_> {
            match self {
                Self::Varint(value) => Chunk::Varint(*value),
                Self::Fixed64(value) => Chunk::Fixed64(*value),
                Self::Bytes(bytes) => Chunk::Bytes(bytes),
                Self::Fixed32(value) => Chunk::Fixed32(*value),
            }
        }
    }

    fn any_fields() -> impl Strategy<Value = Vec<(u32, Owned)>> {
        let content = prop_oneof![
            any::<u64>().prop_map(Owned::Varint),
            (0..64u32).prop_map(|shift| Owned::Varint(1 << shift)),
            any::<u64>().prop_map(Owned::Fixed64),
            prop::collection::vec(any::<u8>(), 0..300).prop_map(Owned::Bytes),
            any::<u32>().prop_map(Owned::Fixed32),
        ];
        prop::collection::vec((1..1u32 << 29, content), 0..12)
    }

    proptest! {
        #[test]
        fn written_fields_are_read_back(fields in any_fields()) {
            let mut writer = Writer::new();
            for (number, content) in fields.iter().rev() {
                put(*number, content.chunk(), &mut writer);
            }
            let expected: Vec<_> = fields.iter().map(|(number, content)| (*number, content.chunk())).collect();
            prop_assert_eq!(all(writer.as_slice()).unwrap(), expected);
        }

        #[test]
        fn headers_tell_where_the_next_field_is(fields in any_fields()) {
            let mut writer = Writer::new();
            for (number, content) in fields.iter().rev() {
                put(*number, content.chunk(), &mut writer);
            }
            let bytes = writer.into_vec();
            let (mut at, mut count) = (0, 0);
            while at < bytes.len() {
                let mut reader = Reader::new(&bytes[at..]);
                let (number, delimited, content) = reader.next_header().unwrap().unwrap();
                let expected = matches!(fields[count].1, Owned::Bytes(_));
                prop_assert_eq!((number, delimited), (fields[count].0, expected));
                at += reader.position() + usize::try_from(content).unwrap();
                count += 1;
            }
            prop_assert_eq!((at, count), (bytes.len(), fields.len()));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            match all(&bytes) {
                Ok(fields) => {
                    // Every byte belongs to a field.
                    let mut writer = Writer::new();
                    for (number, chunk) in fields.iter().rev() {
                        put(*number, *chunk, &mut writer);
                    }
                    prop_assert!(writer.len() <= bytes.len());
                    prop_assert_eq!(all(writer.as_slice()).unwrap(), fields);
                }
                Err(error) => prop_assert!(error.offset().is_some_and(|offset| offset <= bytes.len())),
            }
        }
    }
}
