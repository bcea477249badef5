//! Detectors about objects that runs write: writes that change nothing, and managers that undo each other's writes.

use std::collections::HashMap;

use client_rs_machinery::{ObjectKey, Str};

/// Writes in a row that changed nothing.
const NO_OP_WRITES: u32 = 10;
/// Writes in a row between which the same other manager wrote.
const FIGHTS: u32 = 5;
/// How many objects are observed.
const MOST_OBJECTS: usize = 4096;
/// How many other managers of one write are looked at.
pub(crate) const MOST_MANAGERS: usize = 8;

/// A write that the server accepted.
#[derive(Clone, Debug)]
pub(crate) struct WriteFact {
    /// With the subresource.
    pub(crate) resource: String,
    pub(crate) object: ObjectKey,
    /// The version that the server returned; zero if it is not known.
    pub(crate) version: u64,
    /// The field managers of the object and when each wrote for the last time, in seconds.
    pub(crate) managers: Vec<(Str, i64)>,
}

impl WriteFact {
    #[cfg(test)]
    pub(crate) fn of(resource: &str, object: ObjectKey, version: u64) -> Self {
        Self { resource: resource.to_owned(), object, version, managers: Vec::new() }
    }

    /// Whether the version is known, so that the write may have changed something.
    pub(crate) fn is_effective(&self) -> bool {
        self.version > 0
    }
}

#[derive(Default)]
struct Stats {
    version: u64,
    /// The newest time of any manager in the last response: that of the own write.
    written: i64,
    same: u32,
    rival: Option<(Str, u32)>,
}

/// The objects that were written.
#[derive(Default)]
pub(super) struct Objects(HashMap<(String, ObjectKey), Stats>);

impl Objects {
    /// Returns what the writes of a run show: a kind, an object, a text.
    pub(super) fn written(&mut self, writes: &[WriteFact]) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        for write in writes.iter().filter(|write| write.is_effective()) {
            let place = (write.resource.clone(), write.object.clone());
            if !self.0.contains_key(&place) && self.0.len() >= MOST_OBJECTS {
                continue;
            }
            let stats = self.0.entry(place).or_default();
            let name = || format!("{} {}", write.resource, write.object);
            stats.same = if stats.version == write.version { stats.same + 1 } else { 0 };
            if stats.same >= NO_OP_WRITES {
                let text = format!(
                    "{} writes in a row to {} changed nothing: compare with the cache before a write, or use Owned",
                    stats.same,
                    name()
                );
                found.push(("noOpWrites", name(), text));
            }
            let newest = write.managers.iter().map(|(_, time)| *time).max().unwrap_or_default();
            // Somebody else wrote after the last own write. The newest is the own write of now.
            let rival = write.managers.iter().find(|(_, time)| *time >= stats.written && *time < newest);
            stats.rival = match (rival, stats.rival.take()) {
                (Some((rival, _)), Some((before, count))) if *rival == before && stats.written > 0 => {
                    Some((before, count + 1))
                }
                (Some((rival, _)), _) if stats.written > 0 => Some((rival.clone(), 1)),
                _ => None,
            };
            if let Some((rival, count)) = &stats.rival
                && *count >= FIGHTS
            {
                let text = format!(
                    "the field manager {rival:?} has written {} between {count} writes of this controller in a row: two managers \
                     may fight over a field. See `kubectl get --show-managed-fields`",
                    name()
                );
                found.push(("managersFight", name(), text));
            }
            (stats.version, stats.written) = (write.version, newest);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> ObjectKey {
        ObjectKey::new("n", "a")
    }

    #[test]
    fn writes_that_return_the_same_version_change_nothing() {
        let mut objects = Objects::default();
        for number in 0..30 {
            let changes = WriteFact::of("configmaps", object(), number + 1);
            assert!(objects.written(&[changes]).is_empty());
        }
        let same = WriteFact::of("configmaps", object(), 30);
        let found: Vec<_> =
            (0..NO_OP_WRITES).flat_map(|_| objects.written(std::slice::from_ref(&same))).collect();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1.as_str()), ("noOpWrites", "configmaps n/a"));
    }

    #[test]
    fn two_managers_that_take_turns_fight_and_one_that_wrote_long_ago_does_not() {
        let write = |version: u64, ours: i64, other: i64| WriteFact {
            managers: vec![("ours".into(), ours), ("helm".into(), other)],
            ..WriteFact::of("deployments.apps", object(), version)
        };
        let mut objects = Objects::default();
        for turn in 1_i64..20 {
            assert!(objects.written(&[write(turn.unsigned_abs(), turn * 10, 3)]).is_empty());
        }
        let mut found = Vec::new();
        for turn in 20_i64..30 {
            found.extend(objects.written(&[write(turn.unsigned_abs(), turn * 10, turn * 10 - 4)]));
        }
        assert!(found.iter().all(|(kind, ..)| *kind == "managersFight"));
        assert_eq!(found.len(), 6, "from the fifth turn on");
        assert!(found[0].2.contains("\"helm\""));
    }

    #[test]
    fn an_unknown_version_proves_nothing_and_memory_is_bounded() {
        let mut objects = Objects::default();
        let unknown = WriteFact::of("configmaps", object(), 0);
        assert!((0..30).all(|_| objects.written(std::slice::from_ref(&unknown)).is_empty()));
        for number in 0..10_000 {
            objects.written(&[WriteFact::of("pods", ObjectKey::new("n", number.to_string()), 1)]);
        }
        assert_eq!(objects.0.len(), MOST_OBJECTS);
    }
}
