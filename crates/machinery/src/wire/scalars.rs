//! Times, durations, quantities and int-or-strings on the wire.

use super::protobuf::{Chunk, Reader, Writer};
use super::{DecodeError, Decoding, Item, json};
use crate::time::{Duration, MicroTime, Time};
use crate::{IntOrString, Quantity, Str};

/// Writes `{1: seconds, 2: nanos}`, both always; the zero time is an empty message.
fn put_timestamp(seconds: i64, nanos: u32, zero: bool, number: u32, writer: &mut Writer) {
    let end = writer.len();
    if !zero {
        writer.put_varint(u64::from(nanos));
        writer.tag_varint(2);
        writer.put_varint(seconds.cast_unsigned());
        writer.tag_varint(1);
    }
    writer.tag_bytes(number, end);
}

/// Reads what [`put_timestamp`] writes; `None` for the zero time.
fn read_timestamp(chunk: Chunk<'_>) -> Result<Option<(i64, u64)>, DecodeError> {
    let bytes = chunk.bytes()?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let (mut seconds, mut nanos) = (0, 0);
    let mut reader = Reader::new(bytes);
    while let Some((number, chunk)) = reader.next_field()? {
        match number {
            1 => seconds = chunk.varint()?.cast_signed(),
            2 => nanos = chunk.varint()?,
            _ => {}
        }
    }
    Ok(Some((seconds, nanos)))
}

macro_rules! timestamp {
    ($time:ident, $nanos:expr) => {
        impl Item for $time {
            fn is_empty(&self) -> bool {
                false
            }

            fn is_zero(&self) -> bool {
                $time::is_zero(*self)
            }

            fn put_protobuf(&self, number: u32, writer: &mut Writer) {
                let nanos: fn(u32) -> u32 = $nanos;
                put_timestamp(self.seconds(), nanos(self.nanos()), $time::is_zero(*self), number, writer);
            }

            fn merge_protobuf(&mut self, chunk: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
                let Some((seconds, nanos)) = read_timestamp(chunk)? else {
                    *self = Self::ZERO;
                    return Ok(());
                };
                let keep: fn(u32) -> u32 = $nanos;
                let nanos = u32::try_from(nanos).ok().map(keep);
                *self = nanos
                    .and_then(|nanos| Self::new(seconds, nanos))
                    .ok_or_else(|| DecodeError::invalid("a time outside the years 1 to 9999"))?;
                Ok(())
            }

            fn put_json(&self, writer: &mut json::Writer) {
                if $time::is_zero(*self) {
                    return writer.null();
                }
                // ASCII without anything to escape.
                writer.text(std::str::from_utf8(&self.to_bytes()).unwrap_or_default());
            }

            fn read_json(
                &mut self,
                reader: &mut json::Reader<'_>,
                _: &mut Decoding,
            ) -> Result<(), DecodeError> {
                let text = reader.text()?;
                *self =
                    Self::parse(text.as_bytes()).map_err(|error| DecodeError::invalid(error.to_string()))?;
                Ok(())
            }
        }
    };
}

// The API server drops the fraction of a second from protobuf, because its JSON has none.
timestamp!(Time, |_| 0);
// … and what is below a microsecond, for the same reason.
timestamp!(MicroTime, |nanos| nanos - nanos % 1000);

impl Item for Duration {
    fn is_empty(&self) -> bool {
        false
    }

    fn is_zero(&self) -> bool {
        self.as_nanos() == 0
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        writer.put_varint(self.as_nanos().cast_unsigned());
        writer.tag_varint(1);
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        let mut reader = Reader::new(chunk.bytes()?);
        while let Some((number, chunk)) = reader.next_field()? {
            if number == 1 {
                *self = Self::from_nanos(chunk.varint()?.cast_signed());
            }
        }
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.text(&self.to_string());
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        let text = reader.text()?;
        *self = Self::parse(&text).map_err(|error| DecodeError::invalid(error.to_string()))?;
        Ok(())
    }
}

impl Item for Quantity {
    fn is_empty(&self) -> bool {
        false
    }

    fn is_zero(&self) -> bool {
        Quantity::is_zero(self)
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        writer.put(self.as_str().as_bytes());
        writer.tag_bytes(1, end);
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        let mut reader = Reader::new(chunk.bytes()?);
        while let Some((number, chunk)) = reader.next_field()? {
            if number == 1 {
                let mut text = Str::EMPTY;
                Item::merge_protobuf(&mut text, chunk, cx)?;
                *self = Quantity::from_wire(text).map_err(|error| DecodeError::invalid(error.to_string()))?;
            }
        }
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.text(self.as_str());
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        // A manifest may have `cpu: 2` as well as `cpu: "2"`.
        let text = match reader.peek() {
            Some(b'"') => {
                let text = reader.text()?;
                cx.text(text.trim_matches([' ', '\t', '\n', '\r']))
            }
            _ => cx.text(reader.number("a quantity")?),
        };
        *self = Quantity::from_wire(text).map_err(|error| DecodeError::invalid(error.to_string()))?;
        Ok(())
    }
}

impl Item for IntOrString {
    fn is_empty(&self) -> bool {
        false
    }

    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        let (kind, int, text) = match self {
            Self::Int(int) => (0i64, *int, &Str::EMPTY),
            Self::String(text) => (1, 0, text),
        };
        Item::put_protobuf(text, 3, writer);
        Item::put_protobuf(&int, 2, writer);
        Item::put_protobuf(&kind, 1, writer);
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        let (mut is_text, mut int, mut text) = (false, 0i32, Str::EMPTY);
        let mut reader = Reader::new(chunk.bytes()?);
        while let Some((number, chunk)) = reader.next_field()? {
            match number {
                1 => is_text = chunk.varint()? == 1,
                2 => Item::merge_protobuf(&mut int, chunk, cx)?,
                3 => Item::merge_protobuf(&mut text, chunk, cx)?,
                _ => {}
            }
        }
        *self = if is_text { Self::String(text) } else { Self::Int(int) };
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        match self {
            Self::Int(int) => writer.integer(i64::from(*int)),
            Self::String(text) => writer.text(text),
        }
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = if reader.peek() == Some(b'"') {
            Self::String(cx.text(&reader.text()?))
        } else {
            let mut int = 0;
            Item::read_json(&mut int, reader, cx)?;
            Self::Int(int)
        };
        Ok(())
    }
}
