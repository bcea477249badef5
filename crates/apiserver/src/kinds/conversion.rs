//! Conversion between the served and the stored version of a built-in resource.

use client_rs_machinery::Unstructured;

/// The conversion between a served version and the stored one.
#[derive(Debug)]
pub(crate) struct Conversion {
    /// The served version.
    pub(super) version: &'static str,
    /// The group of the stored version.
    pub(super) stored_group: &'static str,
    pub(super) to_stored: fn(Unstructured) -> Unstructured,
    pub(super) to_served: fn(Unstructured) -> Unstructured,
}

impl Conversion {
    /// The served version.
    pub(crate) fn version(&self) -> &'static str {
        self.version
    }

    /// The group of the stored version.
    pub(crate) fn stored_group(&self) -> &'static str {
        self.stored_group
    }

    /// Converts an object to the stored version.
    pub(crate) fn to_stored(&self, object: Unstructured) -> Unstructured {
        (self.to_stored)(object)
    }

    /// Converts an object to the served version.
    pub(crate) fn to_served(&self, object: Unstructured) -> Unstructured {
        (self.to_served)(object)
    }
}
