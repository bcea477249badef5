//! Wire formats: protobuf and JSON, from one description of each type.
//!
//! A generated type does not carry five codecs. It carries a [`Descriptor`] (the names, numbers and flags of its
//! fields) and two accessors ([`Fields::field`], [`Fields::field_mut`]). The drivers in this module read and write
//! any type through them. So a thousand types are cheap to compile, small in the binary, and follow the same rules:
//! which input is tolerated, which is an error, and how an error names its place.
//!
//! ```
//! use client_rs_machinery::meta::v1::ObjectMeta;
//! use client_rs_machinery::wire::{DecodeErrorKind, Message};
//!
//! let meta = ObjectMeta { name: "web".into(), ..ObjectMeta::default() };
//! assert_eq!(ObjectMeta::from_protobuf(&meta.to_protobuf())?, meta);
//! assert_eq!(ObjectMeta::from_json(br#"{"name": "web", "unknown": 1}"#)?, meta);
//!
//! // An error names the field and its byte, but not the content.
//! let error = ObjectMeta::from_json(br#"{"name": ["secret"]}"#).unwrap_err();
//! assert!(matches!(error.kind(), DecodeErrorKind::WrongType { .. }));
//! assert!(!error.to_string().contains("secret"));
//! # Ok::<(), client_rs_machinery::wire::DecodeError>(())
//! ```
//!
//! The three traits, from the inside out:
//! - [`Item`]: one value on the wire (a number, a string, a message).
//! - [`Value`]: a field's content, with its presence: an item, an `Option` of one, a `List` or a `Map`.
//! - [`Message`]: a type made of fields.
//!
//! A field that holds messages ([`FieldRef`], [`FieldMut`]) erases their type: the code that follows pointers and
//! fills lists is compiled once, not once per type.
//!
//! The framing of objects on the wire has its own readers, which take bytes as they arrive:
//! - [`Envelope`]: the API server's wrapper of a protobuf object, with its kind.
//! - [`ListDecoder`]: the items of a list, one by one.
//! - [`WatchDecoder`]: the events of a watch.
//! - [`Peek`]: name, version and labels of an object that is not decoded.
//!
//! Rules for every type, which are those of Kubernetes:
//! - An unknown field is skipped, in both formats, and never fails a decode.
//! - Protobuf writes fields in ascending order of their numbers, plain scalars and by-value messages always, and map
//!   entries sorted by key: byte for byte the output of the API server.
//! - JSON names are case-sensitive; `null` means absent; the last of two equal keys wins.
//! - A decode never recurses deeper than [`MAX_DEPTH`] and never allocates more than its input justifies.

mod access;
mod buffer;
mod context;
mod envelope;
mod error;
mod field;
mod format;
mod item;
pub mod json;
mod list;
mod message;
mod message_impls;
mod payload;
mod peek;
pub mod protobuf;
mod scalars;
#[cfg(test)]
mod testing;
mod watch;

pub use access::{FieldMut, FieldRef};
pub use context::{Decoding, MAX_DEPTH};
pub use envelope::{Envelope, from_envelope, from_envelope_with, to_envelope};
pub use error::{DecodeError, DecodeErrorKind};
pub(crate) use field::LAST_APPLIED;
pub use field::Value;
pub use format::Format;
pub use item::Item;
pub use list::{BadItem, ListDecoder, ListOptions, ListSummary, RawItem};
pub(crate) use message::fields_to_json;
pub use message::{
    Descriptor, Field, Fields, Flags, Message, Record, TypeMeta, Wire, decode_json_into, decode_protobuf_into,
};
pub use message_impls::{
    debug_message, decode_message, decode_message_front, decode_message_item, deserialize_message,
    encode_message, formats_of, messages_differ, serialize_message,
};
pub use payload::Payload;
pub use peek::{Entries, Peek};
#[doc(hidden)]
pub use serde;
pub use watch::{RawStatus, RawWatchEvent, WatchDecoder, WatchEvent, WatchEventType, WatchOptions};
