//! Writes of the status of a kind's objects.

use client_rs_machinery::Unstructured;

use super::{Errors, Paths, Prepare};

/// The rules for the status of a kind's objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusRules {
    /// Whether a create keeps the status, although it is a subresource.
    pub(crate) kept_on_create: bool,
    /// The fields that a write of the status can't change.
    pub(crate) resets: Paths,
    /// Sets or keeps the fields that an update of the status can't change.
    pub(crate) prepare: Prepare,
    /// Validates a change of the status: the new object, the old one.
    pub(crate) validate: fn(&Unstructured, &Unstructured, &mut Errors),
}

impl StatusRules {
    /// The rules of most kinds.
    pub(crate) const DEFAULT: Self =
        Self { kept_on_create: false, resets: &[&["spec"]], prepare: |_, _, _| {}, validate: |_, _, _| {} };

    /// The rules of a kind where a write of the status can't change the metadata.
    pub(crate) const RESETS_METADATA: Self = Self { resets: &[&["metadata"], &["spec"]], ..Self::DEFAULT };
}
