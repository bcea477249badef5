//! Objects that speak of other objects.

use crate::meta::v1::{Condition, OwnerReference};
use crate::{Json, List, Object, Str, json};

/// A reference that can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// It does not say its kind.
    #[error("the object does not say its apiVersion and kind")]
    NoKind,
    /// It has no UID, so it is not, or not yet, on a server; what it owned would be collected as garbage.
    #[error("the owner {0:?} has no UID: it was not read from a server")]
    NoUid(Str),
    /// An owner is in the same namespace as what it owns, or in none.
    #[error("an owner in namespace {owner:?} can't own an object in namespace {dependent:?}")]
    Namespace {
        /// The owner's.
        owner: Str,
        /// That of what is owned; empty for an object of the cluster.
        dependent: Str,
    },
    /// An object has one controller at most.
    #[error("the object is controlled already by {kind} {name:?}")]
    Controlled {
        /// The controller's kind.
        kind: Str,
        /// Its name.
        name: Str,
    },
}

/// A reference to the owner of something: what it owns is deleted with it.
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

/// A reference to the one owner that controls something; its foreground deletion waits for what it controls.
pub fn controller_reference(owner: &dyn Object) -> Result<OwnerReference, ReferenceError> {
    let reference = owner_reference(owner)?;
    Ok(OwnerReference { controller: Some(true), block_owner_deletion: Some(true), ..reference })
}

/// Adds an owner to those of an object in `namespace` (empty for one of the cluster), or brings what is said of it up to
/// date. A second controller is an error, and so is an owner of another namespace.
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

/// Takes an owner away; whether it was one.
pub fn remove_owner(owners: &mut List<OwnerReference>, uid: &str) -> bool {
    let before = owners.len();
    owners.retain(|owner| owner.uid != uid);
    owners.len() < before
}

/// Does this object control that one?
pub fn controls(owner: &dyn Object, dependent: &dyn Object) -> bool {
    let uid = owner.meta().uid();
    !uid.is_empty() && dependent.meta().owner_references().any(|of| of.controller && of.uid == uid)
}

/// A reference to any object, as events and bindings have it: `ObjectReference` of the core group, as JSON. Parts that the
/// object does not say are left out.
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
        /// As the server writes it; what custom resources hold, and so what their apply configurations take.
        impl From<$ty> for Json {
            fn from(value: $ty) -> Self {
                // What was encoded is JSON.
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
    fn what_would_be_collected_as_garbage_is_refused() {
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
    fn references_say_what_the_object_says() {
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
