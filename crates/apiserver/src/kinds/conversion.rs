//! One object in two forms: a version that is stored in the form of another.

use client_rs_machinery::Unstructured;

/// How a version that is served differs from the one that is stored.
#[derive(Debug)]
pub(crate) struct Conversion {
    /// The version that is served.
    pub(super) version: &'static str,
    /// The group that the resource is stored in.
    pub(super) stored_group: &'static str,
    pub(super) to_stored: fn(Unstructured) -> Unstructured,
    pub(super) to_served: fn(Unstructured) -> Unstructured,
}

impl Conversion {
    /// The version that is served.
    pub(crate) fn version(&self) -> &'static str {
        self.version
    }

    /// The group that the resource is stored in.
    pub(crate) fn stored_group(&self) -> &'static str {
        self.stored_group
    }

    /// The object as it is stored.
    pub(crate) fn to_stored(&self, object: Unstructured) -> Unstructured {
        (self.to_stored)(object)
    }

    /// The object as it is served.
    pub(crate) fn to_served(&self, object: Unstructured) -> Unstructured {
        (self.to_served)(object)
    }
}
