//! Objects and small tools for the tests of this crate.

use std::sync::Arc;

use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, Decoding, Format, Payload};
use client_rs_machinery::{Metadata, Object};

/// An object with metadata and a payload.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TestObject {
    pub(crate) metadata: ObjectMeta,
    pub(crate) data: String,
}

impl Object for TestObject {
    fn meta(&self) -> &dyn Metadata {
        &self.metadata
    }

    fn api_version(&self) -> &'static str {
        "test/v1"
    }

    fn kind(&self) -> &'static str {
        "TestObject"
    }
}

/// Encoded as JSON.
impl Payload for TestObject {
    fn formats() -> &'static [Format] {
        &[Format::Json]
    }

    fn wire_kind() -> Option<&'static str> {
        Some("TestObject")
    }

    fn decode_item(_: Format, bytes: &[u8], _: &mut Decoding) -> Result<Self, DecodeError> {
        let parse = || {
            let mut json: serde_json::Value = serde_json::from_slice(bytes).ok()?;
            let metadata = serde_json::from_value(json["metadata"].take()).ok()?;
            Some(Self { metadata, data: json["data"].as_str()?.to_owned() })
        };
        parse().ok_or_else(|| DecodeError::new(DecodeErrorKind::Invalid("not a TestObject".to_owned())))
    }

    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::decode_item(format, bytes, cx)
    }

    fn encode(&self, _: Format) -> Vec<u8> {
        serde_json::json!({ "metadata": self.metadata, "data": self.data }).to_string().into_bytes()
    }
}

/// An object in namespace `ns`.
pub(crate) fn plain(name: &str, version: u64) -> TestObject {
    TestObject {
        metadata: ObjectMeta {
            name: name.into(),
            namespace: "ns".into(),
            uid: format!("uid-{name}").into(),
            resource_version: version.to_string().into(),
            ..ObjectMeta::EMPTY
        },
        data: String::new(),
    }
}

/// The same, shared.
pub(crate) fn object(name: &str, version: u64) -> Arc<TestObject> {
    Arc::new(plain(name, version))
}
