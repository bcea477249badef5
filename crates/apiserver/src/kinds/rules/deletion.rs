//! How objects of a kind are deleted.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{ApiError, Time, Unstructured};

/// What is particular to the deletion of a kind's objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeleteRules {
    /// Whether a delete answers with the object instead of a `Status`.
    pub(crate) returns_object: bool,
    /// What becomes of dependents when a delete does not say.
    pub(crate) dependents: Dependents,
    /// The finalizer that holds an object which others use, where a controller looks after that.
    pub(crate) protection: Option<&'static str>,
    /// Refuses to delete objects with some names.
    pub(crate) check_name: fn(&str) -> Result<(), ApiError>,
    /// Begins a delete in the kind's own way; `None` for the common one.
    pub(crate) begin: fn(&mut Unstructured, Time) -> Option<DeletePlan>,
    /// The grace period of a delete. Watches of such a kind see the deletion before the end.
    pub(crate) grace: Option<fn(&Unstructured, &DeleteOptions) -> Grace>,
    /// Whether something besides finalizers holds an object that is being deleted.
    pub(crate) is_held: fn(&Unstructured) -> bool,
}

impl DeleteRules {
    /// Those of most kinds.
    pub(crate) const DEFAULT: Self = Self {
        returns_object: false,
        dependents: Dependents::Delete,
        protection: None,
        check_name: |_| Ok(()),
        begin: |_, _| None,
        grace: None,
        is_held: |_| false,
    };

    /// Those of a kind whose deletes answer with the object.
    pub(crate) const RETURNS_OBJECT: Self = Self { returns_object: true, ..Self::DEFAULT };
}

/// What becomes of dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependents {
    Delete,
    Orphan,
    /// The kind is never an owner.
    Ignore,
}

/// What a delete does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeletePlan {
    /// It is being deleted already.
    Nothing,
    /// It is marked and stays for now.
    Hold,
    /// It goes.
    Delete,
}

/// How long a delete waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    /// Not at all.
    None,
    /// This many seconds, from a first request or a shorter one.
    Seconds(i64),
    /// The object is being deleted already.
    Pending,
}
