//! Objects for the tests of this crate.

use std::sync::Arc;

use client_rs_machinery::meta::v1::ObjectMeta;
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

    pub(crate) fn shared(self) -> Arc<Self> {
        Arc::new(self)
    }
}
