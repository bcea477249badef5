//! The rules of sinks.

use client_rs_collections::Incomplete;
use client_rs_machinery::references::ReferenceError;
use client_rs_machinery::{Json, ObjectKey, Unstructured, json};

use super::DerivedObject;
use super::decide::{DERIVED_BY, Pruning, Step, decide, mark, may_concern, may_prune};

const SINK: &str = "configs";

fn key() -> ObjectKey {
    ObjectKey::new("shop", "web")
}

fn owner(uid: &str, namespace: &str) -> Unstructured {
    let mut owner = Unstructured::new("v1", "Service", "web");
    owner.set_namespace(namespace);
    owner.set_uid(uid);
    owner
}

fn desired(uid: &str) -> DerivedObject {
    DerivedObject::new(&owner(uid, "shop"), json!({"data": {"a": "1"}})).unwrap()
}

/// An object with an annotation, an owner, and a deletion timestamp, if they are set.
fn object(annotation: Option<String>, owner: Option<&str>, deleting: bool) -> Unstructured {
    let mut metadata = json!({"name": "web", "namespace": "shop", "uid": "u1"});
    if let Some(annotation) = annotation {
        metadata.set(&["annotations", DERIVED_BY], annotation).unwrap();
    }
    if let Some(uid) = owner {
        let reference =
            json!({"apiVersion": "v1", "kind": "Service", "name": "other", "uid": uid, "controller": true});
        metadata.set(&["ownerReferences"], json!([reference])).unwrap();
    }
    if deleting {
        metadata.set(&["deletionTimestamp"], "2026-01-01T00:00:00Z").unwrap();
    }
    let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata});
    Unstructured::from_json(&object.to_vec()).unwrap()
}

#[test]
fn an_entry_is_applied_unless_another_object_controls_it() {
    let step = |current: Option<&Unstructured>| decide(SINK, &key(), Some(&desired("o1")), current);
    let ours = || Some(mark(SINK, &key()));
    assert_eq!(step(None), Step::Apply);
    assert_eq!(step(Some(&object(None, None, false))), Step::Apply, "it is adopted");
    assert_eq!(step(Some(&object(None, Some("o1"), false))), Step::Apply);
    assert_eq!(step(Some(&object(ours(), Some("o2"), false))), Step::Apply, "its owner was created again");
    assert_eq!(step(Some(&object(ours(), Some("o1"), true))), Step::Nothing, "its deletion brings the key");
    let refused = step(Some(&object(None, Some("o2"), false)));
    assert!(matches!(refused, Step::Refuse(ReferenceError::Controlled { .. })));
    let elsewhere = DerivedObject::new(&owner("o1", "bank"), Json::Null).unwrap();
    let refused = decide::<Unstructured>(SINK, &key(), Some(&elsewhere), None);
    assert!(matches!(refused, Step::Refuse(ReferenceError::Namespace { .. })));
    let of_cluster = DerivedObject::new(&owner("o1", ""), json!({})).unwrap();
    assert_eq!(decide::<Unstructured>(SINK, &key(), Some(&of_cluster), None), Step::Apply);
}

#[test]
fn an_owner_that_is_being_deleted_leaves_objects_to_the_garbage_collector() {
    let mut ending = owner("o1", "shop");
    ending.set_finalizers(["orphan"]);
    ending.set_deletion_timestamp(Some("2026-01-01T00:00:00Z".parse().unwrap()));
    let desired = DerivedObject::new(&ending, json!({})).unwrap();
    let step = |current: Option<&Unstructured>| decide(SINK, &key(), Some(&desired), current);
    let ours = || Some(mark(SINK, &key()));
    assert_eq!(step(None), Step::Nothing);
    assert_eq!(step(Some(&object(ours(), None, false))), Step::Nothing, "it was orphaned");
    assert_eq!(step(Some(&object(ours(), Some("o1"), false))), Step::Apply);
    // Its owner is gone, and so is the entry.
    assert_eq!(decide(SINK, &key(), None, Some(&object(ours(), None, false))), Step::Nothing);
}

#[test]
fn objects_of_other_sinks_lead_to_no_run() {
    assert!(may_concern(SINK, &object(Some(mark(SINK, &key())), Some("o1"), false)));
    assert!(may_concern(SINK, &object(None, Some("o2"), false)), "it may stand in the way");
    assert!(!may_concern(SINK, &object(Some(mark("other", &key())), Some("o1"), false)));
}

#[test]
fn only_marked_objects_are_pruned() {
    let step = |current: Option<&Unstructured>| decide(SINK, &key(), None, current);
    assert_eq!(step(None), Step::Nothing);
    assert_eq!(step(Some(&object(Some(mark(SINK, &key())), Some("o1"), false))), Step::Prune("u1".into()));
    assert_eq!(step(Some(&object(Some(mark(SINK, &key())), None, true))), Step::Nothing, "it goes already");
    assert_eq!(step(Some(&object(None, Some("o1"), false))), Step::Nothing, "it was not written by the sink");
    let other = mark("others", &key());
    assert_eq!(step(Some(&object(Some(other), None, false))), Step::Nothing, "another sink's");
    let copied = mark(SINK, &ObjectKey::new("shop", "original"));
    assert_eq!(step(Some(&object(Some(copied), None, false))), Step::Nothing, "a copy of another object");
}

#[test]
fn nothing_is_pruned_while_entries_may_be_missing() {
    assert_eq!(may_prune(Ok(true)), Pruning::Now);
    assert_eq!(may_prune(Ok(false)), Pruning::No);
    let incomplete = Incomplete::NotSynced { inputs: 1 };
    assert_eq!(may_prune(Err(incomplete.clone())), Pruning::Wait(incomplete));
}
