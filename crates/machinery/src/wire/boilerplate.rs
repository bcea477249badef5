//! What every message type has besides its fields: default, `Debug`, serde.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserializer, Serializer};

use super::message::decode_json_front;
use super::{DecodeError, Decoding, Fields, Flags, Format, Message, Value, from_envelope_with, to_envelope};

/// Implements [`Message`] and the traits that follow from it for a type with a constant `EMPTY`.
///
/// The type implements [`Fields`] and names the `static` that holds its [`Descriptor`](super::Descriptor).
#[macro_export]
macro_rules! message {
    ($name:ident, $descriptor:ident) => {
        impl $crate::wire::Message for $name {
            const DESCRIPTOR: &'static $crate::wire::Descriptor = &$descriptor;
        }

        $crate::payload!($name);

        impl $crate::schema::Schema for $name {
            fn schema() -> $crate::Json {
                $crate::schema::of_message(&$descriptor, &|text| {
                    <Self as $crate::wire::Message>::from_json(text).is_ok()
                })
            }
        }

        impl $crate::apply::Apply for $name {
            type Configuration = $crate::Json;
        }

        impl $crate::StaticDefault for $name {
            fn static_default() -> &'static Self {
                static EMPTY: $name = $name::EMPTY;
                &EMPTY
            }
        }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                Self::EMPTY
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::wire::debug_message(self, f)
            }
        }

        impl $crate::wire::serde::Serialize for $name {
            fn serialize<S: $crate::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::wire::serialize_message(self, serializer)
            }
        }

        impl<'de> $crate::wire::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::wire::deserialize_message(deserializer)
            }
        }
    };
}

/// Implements [`Payload`](super::Payload) for a [`Message`].
///
/// Not a blanket implementation, which would shut out the types of other crates.
#[macro_export]
macro_rules! payload {
    ($name:ident) => {
        impl $crate::wire::Payload for $name {
            fn formats() -> &'static [$crate::wire::Format] {
                $crate::wire::formats_of::<Self>()
            }

            fn wire_kind() -> ::core::option::Option<&'static str> {
                <Self as $crate::wire::Message>::DESCRIPTOR.type_meta.map(|type_meta| type_meta.kind)
            }

            fn decode(
                format: $crate::wire::Format,
                bytes: &[u8],
                cx: &mut $crate::wire::Decoding,
            ) -> ::core::result::Result<Self, $crate::wire::DecodeError> {
                $crate::wire::decode_message(format, bytes, cx)
            }

            fn decode_item(
                format: $crate::wire::Format,
                bytes: &[u8],
                cx: &mut $crate::wire::Decoding,
            ) -> ::core::result::Result<Self, $crate::wire::DecodeError> {
                $crate::wire::decode_message_item(format, bytes, cx)
            }

            fn decode_front(
                text: &[u8],
                cx: &mut $crate::wire::Decoding,
            ) -> ::core::option::Option<
                ::core::result::Result<(Self, ::core::primitive::usize), $crate::wire::DecodeError>,
            > {
                ::core::option::Option::Some($crate::wire::decode_message_front(text, cx))
            }

            fn encode(&self, format: $crate::wire::Format) -> ::std::vec::Vec<u8> {
                $crate::wire::encode_message(self, format)
            }
        }
    };
}

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
