//! A list of strings that is a message of its own in protobuf.

use std::ops::{Deref, DerefMut};

use crate::wire::protobuf::{Chunk, Reader, Writer};
use crate::wire::{DecodeError, Decoding, Item, Record, Value, json};
use crate::{List, Str};

/// A list of strings: a plain list in JSON, a message with one repeated field in protobuf (`Verbs`,
/// `ExtraValue`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StringList(pub List<Str>);

impl StringList {
    /// No strings.
    pub const EMPTY: Self = Self(List::EMPTY);
}

impl Deref for StringList {
    type Target = List<Str>;

    fn deref(&self) -> &List<Str> {
        &self.0
    }
}

impl DerefMut for StringList {
    fn deref_mut(&mut self) -> &mut List<Str> {
        &mut self.0
    }
}

impl<T: Into<Str>> FromIterator<T> for StringList {
    fn from_iter<I: IntoIterator<Item = T>>(strings: I) -> Self {
        Self(strings.into_iter().map(Into::into).collect())
    }
}

impl Item for StringList {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        Value::put_protobuf(&self.0, 1, writer);
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        let mut reader = Reader::new(chunk.bytes()?);
        loop {
            let start = reader.position();
            let Some((number, chunk)) = reader.next_field()? else { return Ok(()) };
            if number == 1 {
                let record = Record { number, chunk, start, reader: &mut reader };
                Value::merge_protobuf(&mut self.0, record, cx)?;
            }
        }
    }

    fn put_json(&self, writer: &mut json::Writer) {
        Value::put_json(&self.0, writer);
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        Value::read_json(&mut self.0, reader, cx)
    }
}
