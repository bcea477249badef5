//! [`Log`]: the recorder as one controller sees it.

use std::sync::Arc;

use client_rs_cache::Notification;
use client_rs_machinery::Object;
use tokio::time::Instant;

use super::attention::Attention;
use super::record::{EventKind, Record, What, changed};
use super::ring::Recorder;
use super::stage::{EndedRun, StagedEvent};

/// Writes the records of one controller.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    pub(crate) recorder: Recorder,
    pub(crate) controller: u32,
    /// When the controller was built.
    pub(crate) built_at: i64,
    /// Wakes the detectors of the controller.
    pub(crate) attention: Arc<Attention>,
}

impl Log {
    pub(crate) fn new(recorder: Recorder, name: &Arc<str>) -> Self {
        let (controller, built_at) = (recorder.number(name), recorder.at(Instant::now()));
        Self { recorder, controller, built_at, attention: Arc::default() }
    }

    pub(crate) fn is_off(&self) -> bool {
        self.recorder.is_off()
    }

    pub(crate) fn write(&self, what: What<'_>) {
        if !self.is_off() {
            self.record(&Record { at: self.now(), controller: self.controller, what });
        }
    }

    /// Writes a record of this controller. With a time that the caller knows.
    pub(crate) fn record(&self, record: &Record<'_>) {
        self.attention.active();
        self.recorder.write(record);
    }

    /// Records an event for this controller, whose handler has already called [`Attention::active`].
    pub(crate) fn record_event(&self, event: StagedEvent) {
        self.recorder.stage_event(event);
    }

    /// Records a run of this controller with its requests.
    pub(crate) fn record_run(&self, run: EndedRun) {
        self.attention.active();
        self.recorder.stage_run(run);
    }

    /// The time for a record.
    pub(crate) fn now(&self) -> i64 {
        self.recorder.at(Instant::now())
    }

    /// Calls a function with every record of every controller that shares the recorder, segment by segment.
    pub(crate) fn scan(&self, mut each: impl FnMut(&Record<'_>)) {
        for segment in self.recorder.segments() {
            segment.records().for_each(|record| each(&record));
        }
    }
}

/// The kind of a notification, and the parts that changed.
pub(crate) fn kind_of<K: Object>(notification: &Notification<K>) -> (EventKind, u8) {
    match notification {
        Notification::Added { is_initial: true, .. } => (EventKind::Initial, 0),
        Notification::Added { .. } => (EventKind::Added, 0),
        Notification::Deleted(_) => (EventKind::Deleted, 0),
        Notification::Updated { .. } if notification.is_replay() => (EventKind::Resync, 0),
        Notification::Updated { old, new } => (EventKind::Updated, difference(&**old, &**new)),
    }
}

/// The parts in which two states of an object differ. No value is kept.
fn difference<K: Object>(old: &K, new: &K) -> u8 {
    let (before, after) = (old.meta(), new.meta());
    let mut bits = 0;
    let mut differs = |bit: u8, is: bool| bits |= if is { bit } else { 0 };
    differs(changed::SPEC, before.generation() != after.generation());
    // Parts that two states share are equal by address.
    if let (Some(before), Some(after)) = (before.as_object_meta(), after.as_object_meta()) {
        differs(changed::LABELS, before.labels != after.labels);
        differs(changed::ANNOTATIONS, before.annotations != after.annotations);
        differs(changed::FINALIZERS, before.finalizers != after.finalizers);
        differs(changed::OWNERS, before.owner_references != after.owner_references);
    } else {
        differs(changed::LABELS, !before.labels().eq(after.labels()));
        differs(changed::ANNOTATIONS, !before.annotations().eq(after.annotations()));
        differs(changed::FINALIZERS, !before.finalizers().eq(after.finalizers()));
        differs(changed::OWNERS, !before.owner_references().eq(after.owner_references()));
    }
    differs(changed::DELETION, new.is_being_deleted() && !old.is_being_deleted());
    differs(changed::UID, old.uid() != new.uid());
    if bits == 0 { changed::OTHER } else { bits }
}

/// A hash of a text that is the same in all runs of the program, and never zero.
pub(crate) fn hash_of(text: &str) -> u32 {
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.max(1)
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::meta::v1::PartialObjectMetadata as Thing;
    use client_rs_machinery::{Unstructured, json};

    use super::*;

    #[test]
    fn the_changed_parts_are_named_and_their_values_are_not_kept() {
        let old = Thing::EMPTY;
        let with = |change: &dyn Fn(&mut Thing)| {
            let mut new = old.clone();
            change(&mut new);
            difference(&old, &new)
        };
        assert_eq!(with(&|_| {}), changed::OTHER);
        assert_eq!(with(&|new| new.metadata.generation = 2), changed::SPEC);
        assert_eq!(with(&|new| drop(new.metadata.labels.insert("a", "b".into()))), changed::LABELS);
        assert_eq!(with(&|new| drop(new.metadata.annotations.insert("a", "b".into()))), changed::ANNOTATIONS);
        assert_eq!(with(&|new| new.metadata.finalizers = ["a".into()].into()), changed::FINALIZERS);
        assert_eq!(with(&|new| new.metadata.uid = "u".into()), changed::UID);
        let both = with(&|new| {
            new.metadata.generation = 2;
            new.metadata.labels.insert("a", "b".into());
        });
        assert_eq!(both, changed::SPEC | changed::LABELS);
    }

    #[test]
    fn objects_of_any_type_are_compared_part_by_part() {
        let object = |label: &str, finalizer: &str| {
            let object = json!({
                "apiVersion": "v1", "kind": "Thing",
                "metadata": {"name": "a", "labels": {"a": label}, "finalizers": [finalizer]},
            });
            Unstructured::try_from(object).unwrap()
        };
        let old = object("b", "c");
        assert_eq!(difference(&old, &old), changed::OTHER);
        assert_eq!(difference(&old, &object("x", "c")), changed::LABELS);
        assert_eq!(difference(&old, &object("b", "x")), changed::FINALIZERS);
    }

    #[test]
    fn equal_errors_have_equal_hashes() {
        assert_eq!(hash_of("timeout"), hash_of("timeout"));
        assert_ne!(hash_of("timeout"), hash_of("conflict"));
        assert_ne!(hash_of(""), 0);
    }
}
