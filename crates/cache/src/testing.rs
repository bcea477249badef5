//! Objects for the tests of this crate.

use std::sync::Arc;

use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, Decoding, Format, Payload};
use client_rs_machinery::{Metadata, Object, ObjectKey};

/// An object with some values to index it by.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Thing {
    pub(crate) metadata: ObjectMeta,
    pub(crate) tags: Vec<String>,
    pub(crate) value: i64,
}

impl Object for Thing {
    fn meta(&self) -> &dyn Metadata {
        &self.metadata
    }

    fn api_version(&self) -> &'static str {
        "test/v1"
    }

    fn kind(&self) -> &'static str {
        "Thing"
    }
}

/// Encoded as JSON.
impl Payload for Thing {
    fn formats() -> &'static [Format] {
        &[Format::Json]
    }

    fn wire_kind() -> Option<&'static str> {
        Some("Thing")
    }

    fn decode_item(_: Format, bytes: &[u8], _: &mut Decoding) -> Result<Self, DecodeError> {
        let parse = || {
            let (metadata, tags, value) = from_json(bytes)?;
            // A value that tests use for an object that does not decode.
            if value == UNREADABLE { None } else { Some(Self { metadata, tags, value }) }
        };
        parse().ok_or_else(|| DecodeError::new(DecodeErrorKind::Invalid("not a Thing".to_owned())))
    }

    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::decode_item(format, bytes, cx)
    }

    fn encode(&self, _: Format) -> Vec<u8> {
        assert_ne!(self.value, UNWRITABLE, "requested by a test");
        let json = serde_json::json!({ "metadata": self.metadata, "tags": self.tags, "value": self.value });
        json.to_string().into_bytes()
    }
}

/// A thing with this value encodes, but does not decode.
pub(crate) const UNREADABLE: i64 = -404;
/// The encoding of a thing with this value panics.
pub(crate) const UNWRITABLE: i64 = -500;

fn from_json(bytes: &[u8]) -> Option<(ObjectMeta, Vec<String>, i64)> {
    let mut json: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let metadata = serde_json::from_value(json["metadata"].take()).ok()?;
    Some((metadata, serde_json::from_value(json["tags"].take()).ok()?, json["value"].as_i64()?))
}

/// An object from `namespace/name` or `name`.
pub(crate) fn thing(key: &str, version: u64) -> Thing {
    let key: ObjectKey = key.parse().expect("a test's key has one slash at most");
    let mut thing = Thing::default();
    thing.metadata.name = key.name;
    thing.metadata.namespace = key.namespace;
    thing.metadata.resource_version = version.to_string().into();
    thing
}

impl Thing {
    pub(crate) fn tagged(mut self, tags: &[&str]) -> Self {
        self.tags = tags.iter().map(ToString::to_string).collect();
        self
    }

    pub(crate) fn valued(mut self, value: i64) -> Self {
        self.value = value;
        self
    }

    pub(crate) fn at(mut self, version: u64) -> Self {
        self.metadata.resource_version = version.to_string().into();
        self
    }

    pub(crate) fn shared(self) -> Arc<Self> {
        Arc::new(self)
    }
}
