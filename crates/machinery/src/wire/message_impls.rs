//! The functions behind the macros `message!` and `payload!`: `Debug`, serde, and the wire forms of every message
//! type.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserializer, Serializer};

use super::envelope::decode_envelope_into;
use super::message::{decode_json_front, decode_json_into, decode_protobuf_into, fields_to_json};
use super::{DecodeError, Decoding, FieldRef, Fields, Flags, Format, Message, json, to_envelope};

/// Shows a message as its name and the JSON of each field that is not zero; what may be secret is not shown.
pub fn debug_message(message: &dyn Fields, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let descriptor = message.descriptor();
    let mut shown = f.debug_struct(descriptor.name);
    for (index, field) in descriptor.fields.iter().enumerate() {
        let value = message.field(index);
        if value.is_zero() {
            continue;
        }
        if field.flags.has(Flags::SENSITIVE) {
            shown.field(field.name, &format_args!("<hidden>"));
            continue;
        }
        shown.field(field.name, &value);
    }
    shown.finish()
}

/// The formats that a message type has, the preferred one first.
pub fn formats_of<M: Message>() -> &'static [Format] {
    // A type without field numbers, such as a table, has no protobuf.
    if M::DESCRIPTOR.wire.is_empty() { &[Format::Json] } else { &[Format::Protobuf, Format::Json] }
}

/// Decodes a root object of a message type.
pub fn decode_message<M: Message>(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<M, DecodeError> {
    let mut message = M::default();
    match format {
        Format::Json => decode_json_into(&mut message, bytes, cx)?,
        Format::Protobuf => decode_envelope_into(&mut message, bytes, cx)?,
    }
    Ok(message)
}

/// Decodes an object of a message type from its form in a list.
pub fn decode_message_item<M: Message>(
    format: Format,
    bytes: &[u8],
    cx: &mut Decoding,
) -> Result<M, DecodeError> {
    let mut message = M::default();
    match format {
        Format::Json => decode_json_into(&mut message, bytes, cx)?,
        Format::Protobuf => decode_protobuf_into(&mut message, bytes, cx)?,
    }
    Ok(message)
}

/// Decodes the message that JSON text begins with; its length too.
pub fn decode_message_front<M: Message>(text: &[u8], cx: &mut Decoding) -> Result<(M, usize), DecodeError> {
    let mut message = M::default();
    let length = decode_json_front(&mut message, text, cx)?;
    Ok((message, length))
}

/// Encodes a root object of a message type.
pub fn encode_message(message: &dyn Fields, format: Format) -> Vec<u8> {
    match format {
        Format::Protobuf if !message.descriptor().wire.is_empty() => to_envelope(message),
        _ => fields_to_json(message),
    }
}

/// Whether two messages of one type differ in a field behind their first, which in an object is the metadata. The last fields come
/// first: most changes are made to the status, the spec or the data.
pub fn messages_differ(one: &dyn Fields, other: &dyn Fields) -> bool {
    let text = |value: FieldRef<'_>| {
        let mut writer = json::Writer::with_capacity(256);
        value.put_json(&mut writer);
        writer.into_vec()
    };
    (1..one.descriptor().fields.len()).rev().any(|index| {
        let (one, other) = (one.field(index), other.field(index));
        !(one.is_empty() && other.is_empty()) && text(one) != text(other)
    })
}

/// Serialises a message through its JSON form, so that any serde format sees what the API server would.
pub fn serialize_message<S: Serializer>(message: &dyn Fields, serializer: S) -> Result<S::Ok, S::Error> {
    let json = fields_to_json(message);
    serde_transcode::transcode(&mut serde_json::Deserializer::from_slice(&json), serializer)
}

/// Deserialises a message from any serde format, through its JSON form.
pub fn deserialize_message<'de, M: Message, D: Deserializer<'de>>(deserializer: D) -> Result<M, D::Error> {
    let mut message = M::default();
    deserialize_fields(&mut message, deserializer)?;
    Ok(message)
}

fn deserialize_fields<'de, D: Deserializer<'de>>(
    message: &mut dyn Fields,
    deserializer: D,
) -> Result<(), D::Error> {
    let mut json = Vec::new();
    serde_transcode::transcode(deserializer, &mut serde_json::Serializer::new(&mut json))
        .map_err(D::Error::custom)?;
    decode_json_into(message, &json, &mut Decoding::new()).map_err(D::Error::custom)
}
