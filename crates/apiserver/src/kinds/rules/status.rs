//! How the status of a kind's objects is written.

use client_rs_machinery::Unstructured;

use super::{Errors, Paths};

/// What is particular to the status of a kind's objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusRules {
    /// Whether the author of a new object may say its status, although that is a subresource.
    pub(crate) kept_on_create: bool,
    /// What a write of the status has no say in.
    pub(crate) resets: Paths,
    /// Sets or keeps what an update of the status may not change: the new object, the old one.
    pub(crate) prepare: fn(&mut Unstructured, &Unstructured),
    /// What is wrong with a change of the status: the new object, the old one.
    pub(crate) validate: fn(&Unstructured, &Unstructured, &mut Errors),
}

impl StatusRules {
    /// Those of most kinds.
    pub(crate) const DEFAULT: Self =
        Self { kept_on_create: false, resets: &[&["spec"]], prepare: |_, _| {}, validate: |_, _, _| {} };

    /// Those of a kind where writes of the status have no say in the metadata either.
    pub(crate) const RESETS_METADATA: Self = Self { resets: &[&["metadata"], &["spec"]], ..Self::DEFAULT };
}
