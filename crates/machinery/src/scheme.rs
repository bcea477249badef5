//! [`Scheme`]: from an `apiVersion` and a `kind` to the Rust type.

use std::any::Any;
use std::fmt;

use crate::wire::{
    DecodeError, DecodeErrorKind, Decoding, Descriptor, Envelope, Fields, Format, Message, TypeMeta,
    debug_message, decode_json_into, decode_protobuf_into, fields_to_json, json, to_envelope,
};

/// A message of any kind, when its type is known only at run time.
///
/// `as_any().downcast_ref()` returns the concrete type.
pub trait AnyKind: Fields + Any {}

impl<M: Message> AnyKind for M {}

impl dyn AnyKind {
    /// Returns the object as JSON, with `kind` and `apiVersion`.
    pub fn to_json(&self) -> Vec<u8> {
        fields_to_json(self)
    }

    /// Returns the object in the API server's protobuf envelope.
    pub fn to_envelope(&self) -> Vec<u8> {
        to_envelope(self)
    }

    /// Whether the other object has the same type and the same form on the wire.
    pub fn equals(&self, other: &dyn AnyKind) -> bool {
        self.as_any().type_id() == other.as_any().type_id()
            && self.to_envelope() == other.to_envelope()
            && self.to_json() == other.to_json()
    }

    /// Returns the object for a downcast to its concrete type.
    pub fn as_any(&self) -> &dyn Any {
        self
    }

    /// Returns the object for a downcast to its concrete type, without a copy.
    pub fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    /// Returns the fields, for the drivers.
    pub fn fields_mut(&mut self) -> &mut dyn Fields {
        self
    }
}

impl fmt::Debug for dyn AnyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_message(self, f)
    }
}

/// A kind that a scheme contains.
#[derive(Clone, Copy)]
pub struct Kind {
    descriptor: &'static Descriptor,
    new: fn() -> Box<dyn AnyKind>,
}

impl Kind {
    /// Creates the entry of this type, which must be a kind.
    pub const fn of<M: Message>() -> Self {
        Self { descriptor: M::DESCRIPTOR, new: || Box::new(M::default()) }
    }

    /// Returns `apiVersion` and `kind`; `None` for a type without them (a watch event).
    pub fn type_meta(&self) -> Option<TypeMeta> {
        self.descriptor.type_meta
    }

    /// Returns the name of the type, which is also that of the kind.
    pub fn name(&self) -> &'static str {
        self.descriptor.name
    }

    /// Creates an empty object of this kind.
    pub fn empty(&self) -> Box<dyn AnyKind> {
        (self.new)()
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kind").field(&self.type_meta()).finish()
    }
}

/// The kinds that a program knows by name, as a scheme in Go.
///
/// ```
/// use client_rs_machinery::{Scheme, meta::v1::PartialObjectMetadata};
///
/// let scheme = Scheme::new([]).with::<PartialObjectMetadata>();
/// let text = br#"{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": {"name": "web"}}"#;
/// let object = scheme.decode_json(text)?;
/// let typed = object.as_any().downcast_ref::<PartialObjectMetadata>().unwrap();
/// assert_eq!(typed.metadata.name, "web");
///
/// assert!(scheme.find("v1", "Pod").is_none());
/// assert!(scheme.decode_json(br#"{"apiVersion": "v1", "kind": "Pod"}"#).is_err());
/// # Ok::<(), client_rs_machinery::wire::DecodeError>(())
/// ```
///
/// The API crate has a scheme with every kind of the enabled features. A lookup scans a slice: use it to decode by
/// name at the edges of a program, not in a loop over objects.
#[derive(Clone, Debug, Default)]
pub struct Scheme {
    kinds: Vec<Kind>,
}

impl Scheme {
    /// Creates a scheme of these kinds; of two with the same name, the first is found.
    pub fn new(kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self { kinds: kinds.into_iter().collect() }
    }

    /// Adds one kind.
    #[must_use]
    pub fn with<M: Message>(mut self) -> Self {
        self.kinds.push(Kind::of::<M>());
        self
    }

    /// Returns all kinds.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Returns the kind of this name.
    pub fn find(&self, api_version: &str, kind: &str) -> Option<Kind> {
        let is_it = |known: &TypeMeta| known.api_version == api_version && known.kind == kind;
        self.kinds.iter().find(|known| known.type_meta().as_ref().is_some_and(is_it)).copied()
    }

    /// Decodes an object from JSON by the kind that it names.
    pub fn decode_json(&self, text: &[u8]) -> Result<Box<dyn AnyKind>, DecodeError> {
        let (api_version, kind) = json_kind(text)?;
        let mut object = self.empty(&api_version, &kind)?;
        decode_json_into(object.fields_mut(), text, &mut Decoding::new())?;
        Ok(object)
    }

    /// Decodes an object from the API server's protobuf envelope by the kind that it names.
    pub fn decode_envelope(&self, bytes: &[u8]) -> Result<Box<dyn AnyKind>, DecodeError> {
        let envelope = Envelope::open(bytes)?;
        let mut object = self.empty(envelope.api_version, envelope.kind)?;
        let cx = &mut Decoding::new();
        match envelope.format()? {
            Format::Protobuf => decode_protobuf_into(object.fields_mut(), envelope.raw, cx)?,
            Format::Json => decode_json_into(object.fields_mut(), envelope.raw, cx)?,
        }
        Ok(object)
    }

    fn empty(&self, api_version: &str, kind: &str) -> Result<Box<dyn AnyKind>, DecodeError> {
        self.find(api_version, kind).map(|kind| kind.empty()).ok_or_else(|| {
            DecodeError::new(DecodeErrorKind::WrongKind {
                expected: "one of the scheme's".to_owned(),
                found: [api_version, kind].join(", ").chars().take(256).collect(),
            })
        })
    }
}

fn json_kind(text: &[u8]) -> Result<(String, String), DecodeError> {
    let (mut api_version, mut kind) = (String::new(), String::new());
    let mut reader = json::Reader::new(text);
    reader.begin_object()?;
    let mut first = true;
    while let Some(key) = reader.next_key(&mut first)? {
        match &*key {
            "apiVersion" => api_version = reader.text()?.into_owned(),
            "kind" => kind = reader.text()?.into_owned(),
            _ => reader.skip()?,
        }
    }
    Ok((api_version, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::v1::{Status, WatchEvent};

    fn scheme() -> Scheme {
        Scheme::default().with::<Status>().with::<WatchEvent>()
    }

    #[test]
    fn an_object_is_decoded_by_the_kind_that_it_names() {
        let json = br#"{"kind":"Status","apiVersion":"v1","code":404}"#;
        let object = scheme().decode_json(json).unwrap();
        let status = object.as_any().downcast_ref::<Status>().unwrap();
        assert_eq!(status.code, 404);
        let again = scheme().decode_envelope(&object.to_envelope()).unwrap();
        assert!(again.equals(&*object));
        assert!(again.into_any().downcast::<Status>().is_ok());
    }

    #[test]
    fn json_in_an_envelope_is_read_as_json() {
        let raw = br#"{"code":409}"#;
        let envelope = Envelope {
            api_version: "v1",
            kind: "Status",
            raw,
            content_encoding: "",
            content_type: "application/json",
        };
        let object = scheme().decode_envelope(&envelope.seal()).unwrap();
        assert_eq!(object.as_any().downcast_ref::<Status>().unwrap().code, 409);
    }

    #[test]
    fn an_unknown_kind_is_an_error_that_names_it() {
        let error = scheme().decode_json(br#"{"kind":"Pod","apiVersion":"v1"}"#).unwrap_err();
        assert!(error.to_string().contains("v1, Pod"), "{error}");
        assert!(scheme().find("v2", "Status").is_none());
    }

    #[test]
    fn objects_of_different_types_are_not_equal() {
        let (status, event) = (Status::EMPTY, WatchEvent::EMPTY);
        assert!(!<dyn AnyKind>::equals(&status, &event));
    }
}
