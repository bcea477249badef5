//! What the macros `message!` and `payload!` call: `Debug`, serde, and the wire forms of every message type.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserializer, Serializer};

use super::message::decode_json_front;
use super::{DecodeError, Decoding, Fields, Flags, Format, Message, Value, from_envelope_with, to_envelope};

/// Shows a message as its name and the JSON of each field that is not zero; what may be secret is not shown.
pub fn debug_message(message: &dyn Fields, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let descriptor = message.descriptor();
    let mut shown = f.debug_struct(descriptor.name);
    for (index, field) in descriptor.fields.iter().enumerate() {
        let Some(value) = message.field(index) else { continue };
        if value.is_zero() {
            continue;
        }
        if field.flags.has(Flags::SENSITIVE) {
            shown.field(field.name, &format_args!("<hidden>"));
            continue;
        }
        shown.field(field.name, &Shown(value));
    }
    shown.finish()
}

struct Shown<'a>(&'a dyn Value);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

/// The formats that a message type has, the preferred one first.
pub fn formats_of<M: Message>() -> &'static [Format] {
    // A type without field numbers, such as a table, has no protobuf.
    if M::DESCRIPTOR.wire.is_empty() { &[Format::Json] } else { &[Format::Protobuf, Format::Json] }
}

/// Decodes a root object of a message type.
pub fn decode_message<M: Message>(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<M, DecodeError> {
    match format {
        Format::Json => M::from_json_with(bytes, cx),
        Format::Protobuf => from_envelope_with(bytes, cx),
    }
}

/// Decodes an object of a message type as it stands in a list.
pub fn decode_message_item<M: Message>(
    format: Format,
    bytes: &[u8],
    cx: &mut Decoding,
) -> Result<M, DecodeError> {
    match format {
        Format::Json => M::from_json_with(bytes, cx),
        Format::Protobuf => M::from_protobuf_with(bytes, cx),
    }
}

/// Decodes the message that JSON text begins with; its length too.
pub fn decode_message_front<M: Message>(text: &[u8], cx: &mut Decoding) -> Result<(M, usize), DecodeError> {
    let mut message = M::default();
    let length = decode_json_front(&mut message, text, cx)?;
    Ok((message, length))
}

/// Encodes a root object of a message type.
pub fn encode_message<M: Message>(message: &M, format: Format) -> Vec<u8> {
    match format {
        Format::Protobuf if !M::DESCRIPTOR.wire.is_empty() => to_envelope(message),
        _ => message.to_json(),
    }
}

/// Serialises a message through its JSON form, so that any serde format sees what the API server would.
pub fn serialize_message<M: Message, S: Serializer>(message: &M, serializer: S) -> Result<S::Ok, S::Error> {
    let json = message.to_json();
    serde_transcode::transcode(&mut serde_json::Deserializer::from_slice(&json), serializer)
}

/// Deserialises a message from any serde format, through its JSON form.
pub fn deserialize_message<'de, M: Message, D: Deserializer<'de>>(deserializer: D) -> Result<M, D::Error> {
    let mut json = Vec::new();
    serde_transcode::transcode(deserializer, &mut serde_json::Serializer::new(&mut json))
        .map_err(D::Error::custom)?;
    M::from_json(&json).map_err(D::Error::custom)
}
