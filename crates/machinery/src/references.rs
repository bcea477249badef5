//! References between objects: owners, controllers, and the objects of events.
//!
//! ```
//! use client_rs_machinery::{List, Unstructured, references};
//!
//! let mut owner = Unstructured::new("example.com/v1", "Widget", "left");
//! owner.set_namespace("shop");
//! owner.set_uid("3f1c");
//!
//! let mut owners = List::new();
//! let reference = references::controller_reference(&owner)?;
//! references::add_owner(&mut owners, "shop", &owner, reference)?;
//! assert_eq!((owners[0].name.as_str(), owners[0].controller), ("left", Some(true)));
//!
//! // The owner must be in the same namespace, or cluster-scoped.
//! let reference = references::controller_reference(&owner)?;
//! assert!(references::add_owner(&mut List::new(), "elsewhere", &owner, reference).is_err());
//! # Ok::<(), references::ReferenceError>(())
//! ```

use crate::meta::v1::{Condition, OwnerReference};
use crate::{Json, List, Object, Str, json};

/// A reference that cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// The object does not name its kind.
    #[error("the object does not say its apiVersion and kind")]
    NoKind,
    /// The object has no UID, so it is not (or not yet) on a server. The garbage collector would delete its
    /// dependents.
    #[error("the owner {0:?} has no UID: it was not read from a server")]
    NoUid(Str),
    /// An owner must be in the namespace of its dependent, or cluster-scoped.
    #[error("an owner in namespace {owner:?} can't own an object in namespace {dependent:?}")]
    Namespace {
        /// The namespace of the owner.
        owner: Str,
        /// The namespace of the dependent; empty for a cluster-scoped object.
        dependent: Str,
    },
    /// The object already has a controller, and can have only one.
    #[error("the object is controlled already by {kind} {name:?}")]
    Controlled {
        /// The controller's kind.
        kind: Str,
        /// The controller's name.
        name: Str,
    },
}

/// Creates a reference to an owner. The garbage collector deletes dependents together with their owner.
pub fn owner_reference(owner: &dyn Object) -> Result<OwnerReference, ReferenceError> {
    if owner.api_version().is_empty() || owner.kind().is_empty() {
        return Err(ReferenceError::NoKind);
    }
    if owner.meta().uid().is_empty() {
        return Err(ReferenceError::NoUid(owner.name().into()));
    }
    Ok(OwnerReference {
        api_version: owner.api_version().into(),
        kind: owner.kind().into(),
        name: owner.name().into(),
        uid: owner.meta().uid().into(),
        ..OwnerReference::EMPTY
    })
}

/// Creates a reference to the controller of an object. The foreground deletion of the controller waits for its
/// dependents.
pub fn controller_reference(owner: &dyn Object) -> Result<OwnerReference, ReferenceError> {
    let reference = owner_reference(owner)?;
    Ok(OwnerReference { controller: Some(true), block_owner_deletion: Some(true), ..reference })
}

/// Adds an owner to those of an object in `namespace` (empty for a cluster-scoped object), or updates its existing
/// entry. A second controller is an error, and so is an owner in another namespace.
pub fn add_owner(
    owners: &mut List<OwnerReference>,
    namespace: &str,
    owner: &dyn Object,
    reference: OwnerReference,
) -> Result<(), ReferenceError> {
    if !owner.namespace().is_empty() && owner.namespace() != namespace {
        return Err(ReferenceError::Namespace {
            owner: owner.namespace().into(),
            dependent: namespace.into(),
        });
    }
    let other = owners.iter().find(|other| other.uid != reference.uid && other.controller == Some(true));
    if let Some(other) = other.filter(|_| reference.controller == Some(true)) {
        return Err(ReferenceError::Controlled { kind: other.kind.clone(), name: other.name.clone() });
    }
    match owners.iter().position(|other| other.uid == reference.uid) {
        Some(at) => owners[at] = reference,
        None => owners.push(reference),
    }
    Ok(())
}

/// Removes an owner; returns whether it was one.
pub fn remove_owner(owners: &mut List<OwnerReference>, uid: &str) -> bool {
    let before = owners.len();
    owners.retain(|owner| owner.uid != uid);
    owners.len() < before
}

/// Whether `owner` controls `dependent`.
pub fn controls(owner: &dyn Object, dependent: &dyn Object) -> bool {
    let uid = owner.meta().uid();
    !uid.is_empty() && dependent.meta().owner_references().any(|of| of.controller && of.uid == uid)
}

/// Creates a reference to any object, for events and bindings: `ObjectReference` of the core group, as JSON. Absent
/// fields are left out.
pub fn object_reference(object: &dyn Object) -> Result<Json, ReferenceError> {
    if object.api_version().is_empty() || object.kind().is_empty() {
        return Err(ReferenceError::NoKind);
    }
    let mut reference = json!({"apiVersion": object.api_version(), "kind": object.kind()});
    let meta = object.meta();
    for (key, value) in [
        ("namespace", meta.namespace()),
        ("name", meta.name()),
        ("uid", meta.uid()),
        ("resourceVersion", meta.resource_version()),
    ] {
        if !value.is_empty() {
            let _ = reference.set(&[key], value);
        }
    }
    Ok(reference)
}

macro_rules! into_json {
    ($($ty:ident),*) => {$(
        /// The JSON that the server writes. Custom resources contain it, and their apply configurations take it.
        impl From<$ty> for Json {
            fn from(value: $ty) -> Self {
                // The encoder wrote it, so it is JSON.
                Self::from_message(&value).unwrap_or_default()
            }
        }
    )*};
}

into_json!(Condition, OwnerReference);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unstructured;

    fn object(kind: &str, namespace: &str, name: &str, uid: &str) -> Unstructured {
        let mut object = Unstructured::new("apps/v1", kind, name);
        object.set_namespace(namespace);
        object.set_uid(uid);
        object
    }

    #[test]
    fn owners_are_added_brought_up_to_date_and_removed() {
        let (set, other) = (object("ReplicaSet", "ns", "web", "u1"), object("Job", "ns", "job", "u2"));
        let mut owners = List::EMPTY;
        add_owner(&mut owners, "ns", &set, owner_reference(&set).unwrap()).unwrap();
        add_owner(&mut owners, "ns", &set, controller_reference(&set).unwrap()).unwrap();
        assert_eq!((owners.len(), owners[0].controller, owners[0].name.as_str()), (1, Some(true), "web"));
        let error = add_owner(&mut owners, "ns", &other, controller_reference(&other).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the object is controlled already by ReplicaSet \"web\"");
        add_owner(&mut owners, "ns", &other, owner_reference(&other).unwrap()).unwrap();
        assert_eq!(owners.len(), 2);
        assert!(remove_owner(&mut owners, "u1") && !remove_owner(&mut owners, "u1"));
        add_owner(&mut owners, "ns", &other, controller_reference(&other).unwrap()).unwrap();
    }

    #[test]
    fn an_owner_without_uid_or_kind_is_refused() {
        let owner = object("ReplicaSet", "ns", "web", "u1");
        for namespace in ["other", ""] {
            let mut owners = List::EMPTY;
            let error =
                add_owner(&mut owners, namespace, &owner, owner_reference(&owner).unwrap()).unwrap_err();
            assert!(matches!(error, ReferenceError::Namespace { .. }), "{error}");
        }
        let cluster = object("Thing", "", "t", "u3");
        add_owner(&mut List::new(), "ns", &cluster, owner_reference(&cluster).unwrap()).unwrap();
        let unsaved = object("ReplicaSet", "ns", "web", "");
        assert_eq!(owner_reference(&unsaved), Err(ReferenceError::NoUid("web".into())));
        assert_eq!(owner_reference(&Unstructured::default()), Err(ReferenceError::NoKind));
    }

    #[test]
    fn references_carry_the_fields_of_the_object() {
        let owner = object("ReplicaSet", "ns", "web", "u1");
        let text = object_reference(&owner).unwrap().to_string();
        assert_eq!(
            text,
            r#"{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","namespace":"ns","uid":"u1"}"#
        );
        assert!(object_reference(&Unstructured::default()).is_err());
        let pod = Unstructured::from_json(
            br#"{"metadata": {"ownerReferences": [{"uid": "u1", "controller": true}, {"uid": "u2"}]}}"#,
        )
        .unwrap();
        assert!(controls(&owner, &pod) && !controls(&object("Job", "ns", "j", "u2"), &pod));
        assert!(!controls(&object("Job", "ns", "j", ""), &pod));
    }
}
