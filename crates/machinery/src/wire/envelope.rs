//! The API server's envelope around a protobuf object.

use super::message::{check_kind, put_protobuf};
use super::protobuf::{Chunk, Reader, Writer};
use super::{
    DecodeError, DecodeErrorKind, Decoding, Fields, Format, Message, decode_json_into, decode_protobuf_into,
};

/// A root object in protobuf: four magic bytes, then `runtime.Unknown`, which names the kind and holds the object's
/// own message.
///
/// Borrows everything from the bytes that it was opened from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The value of `apiVersion`, such as `apps/v1`.
    pub api_version: &'a str,
    /// The value of `kind`, such as `Deployment`.
    pub kind: &'a str,
    /// The object's message.
    pub raw: &'a [u8],
    /// How `raw` is compressed; the API server leaves it empty.
    pub content_encoding: &'a str,
    /// The media type of `raw`; empty means protobuf.
    pub content_type: &'a str,
}

impl<'a> Envelope<'a> {
    /// The four bytes before every envelope.
    pub const MAGIC: [u8; 4] = *b"k8s\0";

    const TYPE_META: u32 = 1;
    const RAW: u32 = 2;
    const CONTENT_ENCODING: u32 = 3;
    const CONTENT_TYPE: u32 = 4;

    /// Parses the envelope, but not its content.
    pub fn open(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut envelope = Self::default();
        let mut reader = Reader::new(after_magic(bytes)?);
        let shifted = |error: DecodeError| error.behind(Self::MAGIC.len()).in_type("Unknown");
        while let Some((number, chunk)) = reader.next_field().map_err(shifted)? {
            envelope.merge(number, chunk).map_err(shifted)?;
        }
        Ok(envelope)
    }

    /// Decodes the object.
    ///
    /// An empty `apiVersion` or `kind` matches any kind, as in JSON.
    ///
    /// # Errors
    ///
    /// The envelope names another kind, or an unknown encoding; or the object does not decode.
    pub fn decode<M: Message>(&self, cx: &mut Decoding) -> Result<M, DecodeError> {
        let mut message = M::default();
        self.decode_into(&mut message, cx)?;
        Ok(message)
    }

    fn decode_into(&self, message: &mut dyn Fields, cx: &mut Decoding) -> Result<(), DecodeError> {
        let descriptor = message.descriptor();
        let format = self.format().map_err(|error| error.in_type(descriptor.name))?;
        if let Some(expected) = descriptor.type_meta {
            check_kind(expected, self.api_version, self.kind)
                .map_err(|error| error.in_type(descriptor.name))?;
        }
        match format {
            Format::Protobuf => decode_protobuf_into(message, self.raw, cx),
            Format::Json => decode_json_into(message, self.raw, cx),
        }
    }

    /// Returns the format of `raw`; an error if it is compressed or of an unknown type.
    pub fn format(&self) -> Result<Format, DecodeError> {
        if !self.content_encoding.is_empty() {
            return Err(unsupported(self.content_encoding));
        }
        match self.content_type {
            "" => Ok(Format::Protobuf),
            other => Format::from_media_type(other).ok_or_else(|| unsupported(other)),
        }
    }

    /// Returns the envelope's bytes, as the API server would write them.
    pub fn seal(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        self.put(&mut writer, |writer| writer.put(self.raw));
        writer.into_vec()
    }

    /// Reads one field of `runtime.Unknown`.
    pub(crate) fn merge(&mut self, number: u32, chunk: Chunk<'a>) -> Result<(), DecodeError> {
        match number {
            Self::TYPE_META => {
                let mut reader = Reader::new(chunk.bytes()?);
                while let Some((number, chunk)) = reader.next_field()? {
                    match number {
                        1 => self.api_version = text(chunk)?,
                        2 => self.kind = text(chunk)?,
                        _ => {}
                    }
                }
            }
            Self::RAW => self.raw = chunk.bytes()?,
            Self::CONTENT_ENCODING => self.content_encoding = text(chunk)?,
            Self::CONTENT_TYPE => self.content_type = text(chunk)?,
            _ => {}
        }
        Ok(())
    }

    /// Puts the envelope before the bytes written so far; `raw` puts its content.
    fn put(&self, writer: &mut Writer, raw: impl FnOnce(&mut Writer)) {
        // The server writes every field, also empty ones.
        put_text(self.content_type, Self::CONTENT_TYPE, writer);
        put_text(self.content_encoding, Self::CONTENT_ENCODING, writer);
        let end = writer.len();
        raw(writer);
        writer.tag_bytes(Self::RAW, end);
        let end = writer.len();
        put_text(self.kind, 2, writer);
        put_text(self.api_version, 1, writer);
        writer.tag_bytes(Self::TYPE_META, end);
        writer.put(&Self::MAGIC);
    }
}

/// Decodes an object from its envelope; see [`Envelope::decode`].
pub fn from_envelope<M: Message>(bytes: &[u8]) -> Result<M, DecodeError> {
    from_envelope_with(bytes, &mut Decoding::new())
}

/// Decodes an object from its envelope, with options.
pub fn from_envelope_with<M: Message>(bytes: &[u8], cx: &mut Decoding) -> Result<M, DecodeError> {
    let mut message = M::default();
    decode_envelope_into(&mut message, bytes, cx)?;
    Ok(message)
}

/// Decodes an envelope into a message whose type is known only at run time; the kind is checked.
pub(super) fn decode_envelope_into(
    message: &mut dyn Fields,
    bytes: &[u8],
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let name = message.descriptor().name;
    Envelope::open(bytes).map_err(|error| error.in_type(name))?.decode_into(message, cx)
}

/// Encodes an object in an envelope that names its kind, in one pass.
pub fn to_envelope(object: &dyn Fields) -> Vec<u8> {
    let descriptor = object.descriptor();
    let (api_version, kind) =
        descriptor.type_meta.map_or(("", ""), |type_meta| (type_meta.api_version, type_meta.kind));
    let mut writer = Writer::new();
    Envelope { api_version, kind, ..Envelope::default() }
        .put(&mut writer, |writer| put_protobuf(object, descriptor.wire, writer));
    writer.into_vec()
}

/// The error for an unknown encoding; a hostile name is cut.
#[cold]
pub(crate) fn unsupported(encoding: &str) -> DecodeError {
    DecodeError::new(DecodeErrorKind::UnsupportedEncoding(encoding.chars().take(64).collect()))
}

fn after_magic(bytes: &[u8]) -> Result<&[u8], DecodeError> {
    if let Some(rest) = bytes.strip_prefix(&Envelope::MAGIC) {
        return Ok(rest);
    }
    let kind = if Envelope::MAGIC.starts_with(bytes) {
        DecodeErrorKind::Truncated
    } else {
        DecodeErrorKind::Malformed("the magic bytes of a protobuf envelope are missing")
    };
    Err(DecodeError::new(kind).at(0))
}

/// Returns the text of a length-delimited chunk.
pub(crate) fn text(chunk: Chunk<'_>) -> Result<&str, DecodeError> {
    std::str::from_utf8(chunk.bytes()?).map_err(|_| DecodeError::new(DecodeErrorKind::InvalidUtf8))
}

fn put_text(text: &str, number: u32, writer: &mut Writer) {
    let end = writer.len();
    writer.put(text.as_bytes());
    writer.tag_bytes(number, end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::testing::{Probe, ProbeList};

    /// `kubectl`-readable: what kube-apiserver writes around a message of two bytes.
    const SEALED: &[u8] = b"k8s\0\x0a\x0b\x0a\x02v1\x12\x05Probe\x12\x02\x0a\x00\x1a\x00\x22\x00";

    #[test]
    fn seals_byte_for_byte_as_the_server() {
        let envelope = Envelope { api_version: "v1", kind: "Probe", raw: b"\x0a\x00", ..Envelope::default() };
        assert_eq!(envelope.seal(), SEALED);
        assert_eq!(Envelope::open(SEALED), Ok(envelope));
    }

    #[test]
    fn objects_round_trip_in_an_envelope() {
        let probe = Probe::named("default", "a");
        let bytes = to_envelope(&probe);
        assert_eq!(from_envelope::<Probe>(&bytes), Ok(probe));
        let envelope = Envelope::open(&bytes).unwrap();
        assert_eq!((envelope.api_version, envelope.kind), ("v1", "Probe"));
        assert_eq!(bytes, envelope.seal());
        let borrowed = bytes.as_ptr_range();
        assert!(borrowed.contains(&envelope.raw.as_ptr()));
    }

    #[test]
    fn another_kind_is_an_error_and_a_missing_kind_is_accepted() {
        let bytes = to_envelope(&Probe::named("default", "a"));
        let error = from_envelope::<ProbeList>(&bytes).unwrap_err();
        let expected = "can't decode ProbeList: expected an object of kind v1, ProbeList, found v1, Probe";
        assert_eq!(error.to_string(), expected);
        let nameless = Envelope { api_version: "", kind: "", ..Envelope::open(&bytes).unwrap() }.seal();
        assert_eq!(from_envelope::<Probe>(&nameless), Ok(Probe::named("default", "a")));
    }

    #[test]
    fn compressed_and_foreign_content_is_a_typed_error() {
        let sealed = to_envelope(&Probe::default());
        let plain = Envelope::open(&sealed).unwrap();
        for (encoding, content_type, named) in
            [("gzip", "", "gzip"), ("", "application/cbor", "application/cbor")]
        {
            let bytes = Envelope { content_encoding: encoding, content_type, ..plain }.seal();
            let error = from_envelope::<Probe>(&bytes).unwrap_err();
            assert_eq!(error.kind(), &DecodeErrorKind::UnsupportedEncoding(named.into()));
        }
    }

    #[test]
    fn json_inside_an_envelope_is_read_as_json() {
        let probe = Probe::named("default", "a");
        let json = probe.to_json();
        let envelope = Envelope { raw: &json, content_type: "application/json", ..Envelope::default() };
        assert_eq!(from_envelope::<Probe>(&envelope.seal()), Ok(probe));
    }

    #[test]
    fn an_invalid_envelope_is_an_error() {
        let error = Envelope::open(br#"{"kind":"Pod"}"#).unwrap_err();
        assert!(matches!(error.kind(), DecodeErrorKind::Malformed(_)), "{error}");
        let not_text = Envelope::open(b"k8s\0\x1a\x01\xff").unwrap_err();
        assert_eq!(not_text.kind(), &DecodeErrorKind::InvalidUtf8);
        let not_bytes = Envelope::open(b"k8s\0\x10\x01").unwrap_err();
        assert!(matches!(not_bytes.kind(), DecodeErrorKind::WrongType { .. }), "{not_bytes}");
    }

    #[test]
    fn cut_anywhere_it_is_truncated_or_a_shorter_envelope() {
        // Protobuf has no end mark: a cut between two fields leaves a valid, shorter message.
        let between_fields = [4, 4 + 13, 4 + 13 + 4, 4 + 13 + 4 + 2];
        for cut in 0..SEALED.len() {
            match Envelope::open(&SEALED[..cut]) {
                Ok(_) => assert!(between_fields.contains(&cut), "{cut}"),
                Err(error) => assert_eq!(error.kind(), &DecodeErrorKind::Truncated, "{cut}"),
            }
        }
    }
}
