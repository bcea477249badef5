//! The deletion of objects of a kind.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{ApiError, Time, Unstructured};

/// The deletion rules of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeleteRules {
    /// Whether a delete returns the object instead of a `Status`.
    pub(crate) returns_object: bool,
    /// The default propagation policy.
    pub(crate) dependents: Dependents,
    /// The finalizer of objects that are in use, for kinds that a controller protects.
    pub(crate) protection: Option<&'static str>,
    /// Refuses to delete objects with certain names.
    pub(crate) check_name: fn(&str) -> Result<(), ApiError>,
    /// Starts a delete in the kind's own way; `None` for the common way.
    pub(crate) begin: fn(&mut Unstructured, Time) -> Option<DeletePlan>,
    /// The grace period of a delete. Watches of such a kind receive the marked object before the removal.
    pub(crate) grace: Option<fn(&Unstructured, &DeleteOptions) -> Grace>,
    /// Whether the object waits for something else than finalizers.
    pub(crate) is_held: fn(&Unstructured) -> bool,
}

impl DeleteRules {
    /// The rules of most kinds.
    pub(crate) const DEFAULT: Self = Self {
        returns_object: false,
        dependents: Dependents::Delete,
        protection: None,
        check_name: |_| Ok(()),
        begin: |_, _| None,
        grace: None,
        is_held: |_| false,
    };

    /// The rules of a kind whose deletes return the object.
    pub(crate) const RETURNS_OBJECT: Self = Self { returns_object: true, ..Self::DEFAULT };
}

/// The treatment of dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependents {
    Delete,
    Orphan,
    /// The kind is never an owner.
    Ignore,
}

/// The effect of a delete on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeletePlan {
    /// The object is already being deleted.
    Nothing,
    /// The object is marked and stays for now.
    Hold,
    /// The object is removed.
    Delete,
}

/// The grace period of a delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    /// None.
    None,
    /// The number of seconds, from the first request or a later one with a shorter period.
    Seconds(i64),
    /// The object is already being deleted.
    Pending,
}
