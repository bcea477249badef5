//! Objects and small tools for the tests of this crate.

use std::sync::Arc;

use client_rs_machinery::meta::v1::ObjectMeta;
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
