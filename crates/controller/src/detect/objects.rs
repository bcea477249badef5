//! Detectors about objects that runs write: writes that change nothing, and managers that undo each other's writes.

use client_rs_machinery::{ObjectKey, Str};
use hashbrown::Equivalent;

use client_rs_machinery::hash::HashMap;

/// Writes in a row that changed nothing.
const NO_OP_WRITES: u32 = 10;
/// Writes in a row between which the same other manager wrote.
const FIGHTS: u32 = 5;
/// How many objects are observed.
const MOST_OBJECTS: usize = 4096;
/// How many other managers of one write are looked at.
pub(crate) const MOST_MANAGERS: usize = 8;

/// A write that the server accepted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteFact<'a> {
    /// With the subresource.
    pub(crate) resource: &'a str,
    pub(crate) object: &'a ObjectKey,
    /// The version that the server returned; zero if it is not known.
    pub(crate) version: u64,
    /// The field managers of the object and when each wrote for the last time, in seconds.
    pub(crate) managers: &'a [(Str, i64)],
}

#[cfg(test)]
impl<'a> WriteFact<'a> {
    pub(crate) fn of(resource: &'a str, object: &'a ObjectKey, version: u64) -> Self {
        Self { resource, object, version, managers: &[] }
    }
}

impl WriteFact<'_> {
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

/// A look at the map without a copy of the names.
#[derive(Hash)]
struct Place<'a>(&'a str, &'a ObjectKey);

impl Equivalent<(String, ObjectKey)> for Place<'_> {
    fn equivalent(&self, (resource, object): &(String, ObjectKey)) -> bool {
        self.0 == resource && self.1 == object
    }
}

impl Objects {
    /// Returns what the writes of a run show: a kind, an object, a text.
    pub(super) fn written(&mut self, writes: &[WriteFact<'_>]) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        for write in writes.iter().filter(|write| write.is_effective()) {
            let is_full = self.0.len() >= MOST_OBJECTS;
            let stats = match self.0.get_mut(&Place(write.resource, write.object)) {
                Some(known) => known,
                None if is_full => continue,
                None => self.0.entry((write.resource.to_owned(), write.object.clone())).or_default(),
            };
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
        let (mut objects, object) = (Objects::default(), object());
        for number in 0..30 {
            let changes = WriteFact::of("configmaps", &object, number + 1);
            assert!(objects.written(&[changes]).is_empty());
        }
        let same = WriteFact::of("configmaps", &object, 30);
        let found: Vec<_> =
            (0..NO_OP_WRITES).flat_map(|_| objects.written(std::slice::from_ref(&same))).collect();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1.as_str()), ("noOpWrites", "configmaps n/a"));
    }

    #[test]
    fn two_managers_that_take_turns_fight_and_one_that_wrote_long_ago_does_not() {
        let (mut objects, object) = (Objects::default(), object());
        let mut write = |version: u64, ours: i64, other: i64| {
            let managers = [("ours".into(), ours), ("helm".into(), other)];
            let write =
                WriteFact { managers: &managers, ..WriteFact::of("deployments.apps", &object, version) };
            objects.written(&[write])
        };
        for turn in 1_i64..20 {
            assert!(write(turn.unsigned_abs(), turn * 10, 3).is_empty());
        }
        let mut found = Vec::new();
        for turn in 20_i64..30 {
            found.extend(write(turn.unsigned_abs(), turn * 10, turn * 10 - 4));
        }
        assert!(found.iter().all(|(kind, ..)| *kind == "managersFight"));
        assert_eq!(found.len(), 6, "from the fifth turn on");
        assert!(found[0].2.contains("\"helm\""));
    }

    #[test]
    fn an_unknown_version_proves_nothing_and_memory_is_bounded() {
        let mut objects = Objects::default();
        let object = object();
        let unknown = WriteFact::of("configmaps", &object, 0);
        assert!((0..30).all(|_| objects.written(std::slice::from_ref(&unknown)).is_empty()));
        for number in 0..10_000 {
            let object = ObjectKey::new("n", number.to_string());
            objects.written(&[WriteFact::of("pods", &object, 1)]);
        }
        assert_eq!(objects.0.len(), MOST_OBJECTS);
    }
}
