//! A write, as the rules of its kind see it.

use client_rs_machinery::Unstructured;

/// A valid write, before it is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    pub(crate) new: &'a Unstructured,
    /// The object before; `None` for a create.
    pub(crate) old: Option<&'a Unstructured>,
    pub(crate) part: Touched,
}

/// The part of an object that a write changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touched {
    /// Everything except the status.
    Whole,
    Status,
    /// The part of another subresource.
    Other,
}
