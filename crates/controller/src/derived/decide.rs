//! The rules of a sink: the next step for one object, without I/O.

use client_rs_collections::Incomplete;
use client_rs_machinery::references::ReferenceError;
use client_rs_machinery::{Object, ObjectKey, Str};

use super::DerivedObject;

/// The annotation of objects that a sink has written: its name, and the key of the object.
///
/// With the key, a copy of such an object under another name is not taken for one of the sink's.
pub(super) const DERIVED_BY: &str = "client-rs.io/derived-by";

/// The value of the annotation.
pub(super) fn mark(sink: &str, key: &ObjectKey) -> String {
    format!("{sink} {key}")
}

/// Whether a sink has written an object.
pub(super) fn is_marked(sink: &str, object: &dyn Object) -> bool {
    object.annotation(DERIVED_BY).is_some_and(|found| found == mark(sink, &object.key()))
}

/// Whether a change of an object concerns a sink: it has written it, or nobody's sink has, and it may stand in the way of an entry. Two sinks
/// with one key would take the object from each other without end if each looked at the writes of the other.
pub(super) fn may_concern(sink: &str, object: &dyn Object) -> bool {
    object.annotation(DERIVED_BY).is_none() || is_marked(sink, object)
}

/// The next step for an object.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Nothing,
    Apply,
    /// Delete the object with this UID, if the graph is complete.
    Prune(Str),
    /// The object can't be written.
    Refuse(ReferenceError),
}

/// Decides from the entry and the object in the cache.
pub(super) fn decide<K: Object>(
    sink: &str,
    key: &ObjectKey,
    desired: Option<&DerivedObject>,
    current: Option<&K>,
) -> Step {
    let marked = current.is_some_and(|current| is_marked(sink, current));
    let deleting = current.is_some_and(Object::is_being_deleted);
    let Some(desired) = desired else {
        return match current {
            // Without its owner it was released, or orphaned with the deletion of the owner, to be kept.
            Some(current) if marked && !deleting && current.controller().is_some() => {
                Step::Prune(current.uid().into())
            }
            _ => Step::Nothing,
        };
    };
    let namespace = desired.owner_namespace();
    if !namespace.is_empty() && *namespace != key.namespace {
        let (owner, dependent) = (namespace.clone(), key.namespace.clone());
        return Step::Refuse(ReferenceError::Namespace { owner, dependent });
    }
    if deleting {
        // Its deletion brings the key again, and then it is created.
        return Step::Nothing;
    }
    let controller = current.and_then(Object::controller);
    let controls = current.map(|_| controller.as_ref().is_some_and(|own| own.uid == *desired.owner_uid()));
    if desired.deletion().leaves_to_collector(controls) {
        return Step::Nothing;
    }
    match controller.filter(|controller| !marked && controller.uid != *desired.owner_uid()) {
        Some(other) => {
            Step::Refuse(ReferenceError::Controlled { kind: other.kind.into(), name: other.name.into() })
        }
        None => Step::Apply,
    }
}

/// Decides whether an object that is not derived may be deleted. `absent` says whether a complete snapshot still lacks the entry.
pub(super) fn may_prune(absent: Result<bool, Incomplete>) -> Pruning {
    match absent {
        Err(incomplete) => Pruning::Wait(incomplete),
        Ok(true) => Pruning::Now,
        Ok(false) => Pruning::No,
    }
}

#[derive(Debug, PartialEq)]
pub(super) enum Pruning {
    Now,
    /// It is derived again: its change brings the key once more.
    No,
    Wait(Incomplete),
}
