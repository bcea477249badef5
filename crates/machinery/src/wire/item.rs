//! One value on the wire: a number, a string, bytes, a message.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::message::{is_zero, merge_protobuf, put_field, put_json, read_json};
use super::message_impls::debug_message;
use super::protobuf::{Chunk, Writer};
use super::{DecodeError, Decoding, Message, json};
use crate::{Blob, Str};

/// One value on the wire.
///
/// Implemented for Rust's numbers and `bool`, for [`Str`], [`Blob`], every [`Message`], and the few Kubernetes types
/// with a wire form of their own (quantities, times, …).
pub trait Item: Clone + Default + PartialEq + Send + Sync + 'static {
    /// Whether protobuf may pack many of it into one record.
    const PACKABLE: bool = false;
    /// Whether JSON's `null` is a value of this type rather than its absence.
    const READS_NULL: bool = false;

    /// Whether it is empty in the sense of Go's `omitempty`: false, 0 or "". A struct never is.
    fn is_empty(&self) -> bool;
    /// Whether it is the zero value.
    fn is_zero(&self) -> bool {
        self.is_empty()
    }
    /// Whether a plain field with this content is absent: not written to protobuf, and `null` in JSON.
    fn is_absent(&self) -> bool {
        false
    }
    /// Puts the item, with its tag, before the bytes written so far.
    fn put_protobuf(&self, number: u32, writer: &mut Writer);
    /// Merges a record's content into the item.
    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError>;
    /// Writes the item.
    fn put_json(&self, writer: &mut json::Writer);
    /// Reads the item.
    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError>;
    /// Formats the item for `Debug`, without values that may be secret. The default prints its JSON.
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = json::Writer::new();
        self.put_json(&mut writer);
        f.write_str(&String::from_utf8_lossy(writer.as_slice()))
    }
}

impl<M: Message> Item for M {
    fn is_empty(&self) -> bool {
        false
    }

    fn is_zero(&self) -> bool {
        is_zero(self)
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        put_field(self, number, writer);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        merge_protobuf(self, chunk.bytes()?, cx)
    }

    fn put_json(&self, writer: &mut json::Writer) {
        put_json(self, writer);
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        read_json(self, reader, cx)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_message(self, f)
    }
}

impl Item for Str {
    fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        writer.put(self.as_bytes());
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = cx.utf8(chunk.bytes()?)?;
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.text(self);
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = cx.text(&reader.text()?);
        Ok(())
    }
}

impl Item for bool {
    const PACKABLE: bool = true;

    fn is_empty(&self) -> bool {
        !self
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        writer.put_varint(u64::from(*self));
        writer.tag_varint(number);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        *self = chunk.varint()? != 0;
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.boolean(*self);
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        *self = reader.boolean()?;
        Ok(())
    }
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Item for $integer {
            const PACKABLE: bool = true;

            fn is_empty(&self) -> bool {
                *self == 0
            }

            fn put_protobuf(&self, number: u32, writer: &mut Writer) {
                // A negative number of any width is written as its 64-bit two's complement.
                writer.put_varint(i64::from(*self).cast_unsigned());
                writer.tag_varint(number);
            }

            fn merge_protobuf(&mut self, chunk: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
                // Protobuf truncates to the field's width, and so does the API server.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
                let value = chunk.varint()?.cast_signed() as $integer;
                *self = value;
                Ok(())
            }

            fn put_json(&self, writer: &mut json::Writer) {
                writer.integer(i64::from(*self));
            }

            fn read_json(&mut self, reader: &mut json::Reader<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
                let value = reader.integer()?;
                *self = <$integer>::try_from(value).map_err(|_| {
                    DecodeError::invalid(concat!("an integer out of the range of ", stringify!($integer)))
                })?;
                Ok(())
            }
        }
    )*};
}

integers!(i32, i64, u32);

impl Item for f64 {
    fn is_empty(&self) -> bool {
        *self == 0.0
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        writer.put(&self.to_le_bytes());
        writer.tag_fixed64(number);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        *self = match chunk {
            Chunk::Fixed64(bits) => f64::from_bits(bits),
            _ => return Err(DecodeError::wrong_type("a 64-bit value", "another wire type")),
        };
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        // Like Go, writes a whole number without a fraction.
        #[allow(clippy::cast_possible_truncation)]
        if self.fract() == 0.0 && self.abs() < 1e15 {
            writer.integer(*self as i64);
        } else {
            writer.float(*self);
        }
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        *self = reader.float()?;
        Ok(())
    }
}

impl Item for Blob {
    fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    fn is_absent(&self) -> bool {
        self.as_slice().is_empty()
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        writer.put(self);
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        *self = Blob::from(chunk.bytes()?);
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.text(&BASE64.encode(self));
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        let text = reader.text()?;
        // Go's decoder ignores line breaks, and YAML block scalars contain them.
        let decoded = if text.contains(['\n', '\r']) {
            BASE64.decode(text.replace(['\n', '\r'], ""))
        } else {
            BASE64.decode(&*text)
        };
        *self = decoded.map_err(|_| DecodeError::invalid("bytes that are not standard base64"))?.into();
        Ok(())
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
