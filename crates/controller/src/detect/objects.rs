//! Detectors about objects that runs write: writes that change nothing, and managers that undo each other's writes.

use std::hash::{BuildHasher, Hasher as _};

use client_rs_machinery::hash::RandomState;
use client_rs_machinery::{ObjectKey, Str};
use hashbrown::hash_map::Entry;

use super::managers::Managers;
use crate::hashed::HashedMap;
use crate::recorder::ResourceName;

/// Writes in a row that changed nothing.
const NO_OP_WRITES: u32 = 10;
/// Writes in a row between which the same other manager wrote.
const FIGHTS: u32 = 5;
/// How many objects are observed: as many as a hash table with 4,096 places takes.
const MOST_OBJECTS: usize = 3584;

/// A write that the server accepted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteFact<'a> {
    pub(crate) resource: ResourceName<'a>,
    pub(crate) object: &'a ObjectKey,
    /// The version that the server returned; zero if it is not known.
    pub(crate) version: u64,
    /// The managers of the object. The newest write is this one.
    pub(crate) managers: &'a Managers,
}

#[cfg(test)]
impl<'a> WriteFact<'a> {
    pub(crate) fn of(resource: &'a str, object: &'a ObjectKey, version: u64) -> Self {
        static NOBODY: Managers = Managers::NOBODY;
        let resource = ResourceName { resource, ..ResourceName::default() };
        Self { resource, object, version, managers: &NOBODY }
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
    /// The writes in a row between which the same other manager wrote.
    fights: u32,
    rival: Str,
}

/// The objects that were written.
#[derive(Default)]
pub(super) struct Objects {
    /// By a hash of the resource and the object: two of thousands with one hash of 64 bits do not happen, and would only confuse
    /// their counts.
    stats: HashedMap<Stats>,
    hasher: RandomState,
}

/// The key of a run, and its hash.
#[derive(Clone, Copy)]
pub(super) struct HashedKey<'a> {
    pub(super) key: &'a ObjectKey,
    pub(super) hash: u64,
}

impl Objects {
    /// A key and its hash.
    pub(super) fn hashed<'a>(&self, key: &'a ObjectKey) -> HashedKey<'a> {
        HashedKey { key, hash: self.hash([&key.namespace, &key.name], 0) }
    }

    /// The place of an object. Most objects that a run writes have the key of the run: its hash is known.
    fn place(&self, run: HashedKey<'_>, write: &WriteFact<'_>) -> u64 {
        let is_own = std::ptr::eq(write.object, run.key) || *write.object == *run.key;
        let object = if is_own { run.hash } else { self.hashed(write.object).hash };
        let ResourceName { group, resource, subresource } = write.resource;
        self.hash([group, resource, subresource], object)
    }

    /// A hash of texts and another hash, with a seed of its own.
    #[inline]
    fn hash<const N: usize>(&self, texts: [&str; N], other: u64) -> u64 {
        let mut state = self.hasher.build_hasher();
        for text in texts {
            state.write(text.as_bytes());
        }
        // With their borders.
        let rest = texts.iter().fold(other, |rest, text| rest.rotate_left(16) ^ text.len() as u64);
        state.write_u64(rest);
        state.finish()
    }

    /// Returns what the writes of a run show: a kind, an object, a text.
    pub(super) fn written<'a>(
        &mut self,
        run: HashedKey<'_>,
        writes: impl Iterator<Item = WriteFact<'a>>,
    ) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        for write in writes.filter(WriteFact::is_effective) {
            let place = self.place(run, &write);
            let is_full = self.stats.len() >= MOST_OBJECTS;
            let stats = match self.stats.entry(place) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(_) if is_full => continue,
                Entry::Vacant(new) => new.insert(Stats::default()),
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
            // Somebody else wrote after the last own write.
            let rival = if stats.written > 0 { write.managers.rival(stats.written) } else { None };
            match rival {
                Some(rival) => {
                    stats.fights =
                        if stats.fights > 0 && *rival == stats.rival { stats.fights + 1 } else { 1 };
                    stats.rival = rival.clone();
                }
                None => stats.fights = 0,
            }
            let (rival, count) = (&stats.rival, stats.fights);
            if count >= FIGHTS {
                let text = format!(
                    "the field manager {rival:?} has written {} between {count} writes of this controller in a row: two managers \
                     may fight over a field. See `kubectl get --show-managed-fields`",
                    name()
                );
                found.push(("managersFight", name(), text));
            }
            (stats.version, stats.written) = (write.version, write.managers.newest());
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

    /// A run of a key of the same name writes once.
    fn written(objects: &mut Objects, write: WriteFact<'_>) -> Vec<(&'static str, String, String)> {
        let object = object();
        let run = objects.hashed(&object);
        objects.written(run, std::iter::once(write))
    }

    #[test]
    fn writes_that_return_the_same_version_change_nothing() {
        let (mut objects, object) = (Objects::default(), object());
        for number in 0..30 {
            let changes = WriteFact::of("configmaps", &object, number + 1);
            assert!(written(&mut objects, changes).is_empty());
        }
        let same = WriteFact::of("configmaps", &object, 30);
        let found: Vec<_> = (0..NO_OP_WRITES).flat_map(|_| written(&mut objects, same)).collect();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1.as_str()), ("noOpWrites", "configmaps n/a"));
    }

    #[test]
    fn two_managers_that_take_turns_fight_and_one_that_wrote_long_ago_does_not() {
        let (mut objects, object) = (Objects::default(), object());
        let mut write = |version: u64, ours: i64, other: i64| {
            let (helm, us) = (Str::from("helm"), Str::from("us"));
            let managers = Managers::from_writes([(&helm, other), (&us, ours)].into_iter());
            let fact = WriteFact::of("deployments.apps", &object, version);
            let write = WriteFact { managers: &managers, ..fact };
            written(&mut objects, write)
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
    fn an_object_has_one_place_whichever_run_writes_it() {
        let (objects, own, other) = (Objects::default(), object(), ObjectKey::new("n", "b"));
        let place = |run: &ObjectKey, resource: ResourceName<'_>, object: &ObjectKey| {
            let write = WriteFact { resource, ..WriteFact::of("", object, 1) };
            objects.place(objects.hashed(run), &write)
        };
        let status = ResourceName { group: "apps", resource: "deployments", subresource: "status" };
        let whole = ResourceName { subresource: "", ..status };
        assert_eq!(place(&own, status, &own), place(&other, status, &own));
        assert_ne!(place(&own, status, &own), place(&own, status, &other));
        assert_ne!(place(&own, status, &own), place(&own, whole, &own));
        let borders = [ObjectKey::new("na", "me"), ObjectKey::new("n", "ame"), ObjectKey::new("", "name")];
        let hashes = borders.each_ref().map(|key| objects.hashed(key).hash);
        assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
    }

    #[test]
    fn an_unknown_version_proves_nothing_and_memory_is_bounded() {
        let mut objects = Objects::default();
        let object = object();
        let unknown = WriteFact::of("configmaps", &object, 0);
        assert!((0..30).all(|_| written(&mut objects, unknown).is_empty()));
        for number in 0..10_000 {
            let object = ObjectKey::new("n", number.to_string());
            written(&mut objects, WriteFact::of("pods", &object, 1));
        }
        assert_eq!(objects.stats.len(), MOST_OBJECTS);
    }
}
