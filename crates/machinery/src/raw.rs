//! JSON that is passed on without being parsed.

use std::fmt;

use crate::wire::protobuf::{Chunk, Reader, Writer};
use crate::wire::{DecodeError, DecodeErrorKind, Decoding, Item, json};
use crate::{Blob, utf8};

macro_rules! raw_json {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Default)]
        pub struct $name(Blob);

        impl $name {
            /// No content.
            pub const EMPTY: Self = Self(Blob::EMPTY);

            /// Creates it from JSON text, without white space outside strings; an error if it is not JSON.
            pub fn from_json(text: &[u8]) -> Result<Self, DecodeError> {
                let mut reader = json::Reader::new(text);
                let raw = as_text(reader.raw()?)?;
                reader.end()?;
                Ok(Self(compact(raw)))
            }

            /// Keeps bytes unchanged: JSON, or any other content from a protobuf peer.
            pub fn from_bytes(bytes: impl Into<Blob>) -> Self {
                Self(bytes.into())
            }

            /// Returns the bytes.
            pub fn as_bytes(&self) -> &[u8] {
                &self.0
            }

            /// Whether it is empty.
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                // The content may include a Secret.
                write!(f, concat!(stringify!($name), "({} bytes)"), self.0.len())
            }
        }

        impl Item for $name {
            const READS_NULL: bool = true;

            fn is_empty(&self) -> bool {
                false
            }

            fn is_zero(&self) -> bool {
                self.0.is_empty()
            }

            fn put_protobuf(&self, number: u32, writer: &mut Writer) {
                let end = writer.len();
                if !self.0.is_empty() {
                    Item::put_protobuf(&self.0, 1, writer);
                }
                writer.tag_bytes(number, end);
            }

            fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
                let mut reader = Reader::new(chunk.bytes()?);
                while let Some((number, chunk)) = reader.next_field()? {
                    if number == 1 {
                        Item::merge_protobuf(&mut self.0, chunk, cx)?;
                    }
                }
                Ok(())
            }

            fn put_json(&self, writer: &mut json::Writer) {
                if is_json(&self.0) { writer.raw(&self.0) } else { writer.null() }
            }

            fn read_json(&mut self, reader: &mut json::Reader<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
                let raw = as_text(reader.raw()?)?;
                self.0 = if raw == b"null" { Blob::EMPTY } else { compact(raw) };
                Ok(())
            }

            fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    };
}

raw_json! {
    /// An object of any kind, not parsed (Go's `runtime.RawExtension`).
    RawExtension
}

raw_json! {
    /// The fields that one manager owns, in the API server's form, not parsed.
    FieldsV1
}

raw_json! {
    /// Any JSON value, not parsed (the `JSON` of custom resource definitions).
    RawJson
}

/// Checks that JSON which is kept unread is UTF-8: it is written unchanged later.
fn as_text(json: &[u8]) -> Result<&[u8], DecodeError> {
    match utf8::text(json) {
        Ok(text) => Ok(text.as_bytes()),
        Err(_) => Err(DecodeError::new(DecodeErrorKind::InvalidUtf8)),
    }
}

/// Whether the bytes are valid in a JSON document: a protobuf peer may have sent anything.
fn is_json(bytes: &[u8]) -> bool {
    let mut reader = json::Reader::new(bytes);
    !bytes.is_empty() && utf8::text(bytes).is_ok() && reader.skip().and_then(|()| reader.end()).is_ok()
}

/// Valid JSON without the white space outside its strings.
fn compact(json: &[u8]) -> Blob {
    // The API server writes no white space, and text with a space in a string is rare too.
    if !has_white_space(json) {
        return Blob::from(json);
    }
    let mut text = Vec::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in json {
        if in_string {
            in_string = byte != b'"' || escaped;
            escaped = byte == b'\\' && !escaped;
        } else {
            if matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                continue;
            }
            in_string = byte == b'"';
        }
        text.push(byte);
    }
    text.into()
}

/// Checks many bytes at once: no early return within a chunk, so that it vectorizes.
fn has_white_space(bytes: &[u8]) -> bool {
    let is_white_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    bytes.chunks(256).any(|chunk| chunk.iter().fold(false, |found, &byte| found | is_white_space(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_strings_and_drops_white_space_outside_them() {
        let raw = RawExtension::from_json(b" { \"a b\" : [ 1 , \"x \\\" y\" ] } ").unwrap();
        assert_eq!(raw.as_bytes(), br#"{"a b":[1,"x \" y"]}"#);
    }

    #[test]
    fn refuses_malformed_json() {
        assert!(RawExtension::from_json(b"{").is_err());
        assert!(RawExtension::from_json(b"{} {}").is_err());
        assert!(RawExtension::from_json(b"{\"\xff\":1}").is_err());
        let mut raw = RawJson::EMPTY;
        let read = raw.read_json(&mut json::Reader::new(b"[\"\xff\"]"), &mut Decoding::new());
        assert_eq!(read.unwrap_err().kind(), &DecodeErrorKind::InvalidUtf8);
    }

    #[test]
    fn bytes_that_are_not_json_are_null_in_json() {
        let mut writer = json::Writer::new();
        Item::put_json(&RawExtension::from_bytes(&b"k8s\0"[..]), &mut writer);
        assert_eq!(writer.as_slice(), b"null");
        let mut writer = json::Writer::new();
        Item::put_json(&RawExtension::from_bytes(&b"\"\xff\""[..]), &mut writer);
        assert_eq!(writer.as_slice(), b"null");
    }
}
