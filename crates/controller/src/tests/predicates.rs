use std::sync::Arc;

use client_rs_cache::{Deleted, Tombstone};
use client_rs_machinery::Time;

use super::source::{Thing, thing};
use crate::{
    Notification, Predicate, annotations_changed, finalizers_changed, generation_changed, labels_changed,
    resource_version_changed,
};

fn updated(change: impl Fn(&mut Thing)) -> (Arc<Thing>, Arc<Thing>) {
    let old = thing("a");
    let mut new = old.clone();
    change(&mut new);
    (Arc::new(old), Arc::new(new))
}

#[test]
fn a_predicate_compares_the_old_and_the_new_object() {
    let spec = updated(|new| new.metadata.generation = 2);
    let label = updated(|new| {
        new.metadata.labels.insert("a", "b".into());
    });
    let annotation = updated(|new| {
        new.metadata.annotations.insert("a", "b".into());
    });
    let version = updated(|new| new.metadata.resource_version = "2".into());
    let none = updated(|_| {});
    let admits = |predicate: &dyn Fn(&Notification<Thing>) -> bool, (old, new): &(Arc<Thing>, Arc<Thing>)| {
        predicate(&Notification::Updated { old: old.clone(), new: new.clone() })
    };
    let generation = generation_changed::<Thing>();
    let labels = labels_changed::<Thing>();
    let annotations = annotations_changed::<Thing>();
    let versions = resource_version_changed::<Thing>();
    for (changed, expected) in [
        (&spec, [true, false, false, false]),
        (&label, [false, true, false, false]),
        (&annotation, [false, false, true, false]),
        (&version, [false, false, false, true]),
        (&none, [false; 4]),
    ] {
        let found = [
            admits(&|event| generation.admits(event), changed),
            admits(&|event| labels.admits(event), changed),
            admits(&|event| annotations.admits(event), changed),
            admits(&|event| versions.admits(event), changed),
        ];
        assert_eq!(found, expected);
    }
    let either = generation_changed::<Thing>().or(labels_changed());
    assert!(admits(&|event| either.admits(event), &spec) && admits(&|event| either.admits(event), &label));
    assert!(!admits(&|event| either.admits(event), &annotation));
    let both = generation_changed::<Thing>().and(labels_changed());
    assert!(!admits(&|event| both.admits(event), &spec));
    let neither = labels_changed::<Thing>().negated();
    assert!(admits(&|event| neither.admits(event), &spec));
    // Additions and deletions always pass.
    let object = Arc::new(thing("a"));
    assert!(generation.admits(&Notification::Added { object, is_initial: false }));
    let gone = Tombstone::new(super::source::key("a"), None);
    assert!(generation.admits(&Notification::Deleted(Deleted::FinalStateUnknown(gone))));
}

#[test]
fn the_start_of_a_deletion_and_changed_finalizers_pass() {
    let deleted = updated(|new| new.metadata.deletion_timestamp = Some(Time::now()));
    let guarded = updated(|new| new.metadata.finalizers = ["example.com/a".into()].into_iter().collect());
    let label = updated(|new| {
        new.metadata.labels.insert("a", "b".into());
    });
    let generation = generation_changed::<Thing>();
    let finalizers = finalizers_changed::<Thing>();
    for ((old, new), expected) in
        [(&deleted, [true, true]), (&guarded, [false, true]), (&label, [false, false])]
    {
        let event = Notification::Updated { old: old.clone(), new: new.clone() };
        assert_eq!([generation.admits(&event), finalizers.admits(&event)], expected);
    }
    // An update during the deletion is not its start.
    let going = Notification::Updated { old: deleted.1.clone(), new: deleted.1.clone() };
    assert!(!generation.admits(&going) && !finalizers.admits(&going));
}
