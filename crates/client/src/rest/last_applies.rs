//! The last applies of a client, with the versions that the server returned.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use client_rs_machinery::{GroupResource, ObjectKey, Str};

/// How many objects are remembered, in each of two generations. A forgotten one costs a request that changes nothing.
const GENERATION: usize = 16_384;

/// The last apply of each object, subresource and field manager.
#[derive(Debug, Default)]
pub(super) struct LastApplies(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Id, Vec<Last>>,
    old: HashMap<Id, Vec<Last>>,
}

type Id = (GroupResource, ObjectKey);

/// One apply, without its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Apply {
    subresource: String,
    manager: String,
    /// A hash of the document and of the options. It detects changes and is not cryptographic.
    content: (u64, u64),
}

#[derive(Clone, Debug)]
struct Last {
    apply: Apply,
    resource_version: Str,
}

impl Apply {
    pub(super) fn new(
        subresource: String,
        manager: String,
        options: &[(String, String)],
        document: &[u8],
    ) -> Self {
        let hash = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, options, document).hash(&mut hasher);
            hasher.finish()
        };
        Self { subresource, manager, content: (hash(0), hash(1)) }
    }

    fn is_same_place(&self, other: &Self) -> bool {
        self.subresource == other.subresource && self.manager == other.manager
    }
}

impl LastApplies {
    /// Whether this was the last apply of the manager, and the server returned this version.
    pub(super) fn is_last(
        &self,
        resource: &GroupResource,
        key: &ObjectKey,
        apply: &Apply,
        resource_version: &str,
    ) -> bool {
        let id = (resource.clone(), key.clone());
        self.lock().get(&id).is_some_and(|lasts| {
            lasts.iter().any(|last| last.apply == *apply && last.resource_version == resource_version)
        })
    }

    /// An apply has returned this version.
    pub(super) fn applied(
        &self,
        resource: &GroupResource,
        key: &ObjectKey,
        apply: Apply,
        resource_version: &Str,
    ) {
        let id = (resource.clone(), key.clone());
        let mut generations = self.lock();
        let lasts = generations.get_mut(id);
        lasts.retain(|last| !last.apply.is_same_place(&apply));
        lasts.push(Last { apply, resource_version: resource_version.clone() });
    }

    /// Whether something was applied to the object.
    pub(super) fn has(&self, resource: &GroupResource, key: &ObjectKey) -> bool {
        self.lock().get(&(resource.clone(), key.clone())).is_some()
    }

    /// A replacement of the object or of its status was based on version `from` and returned version `to`: nobody has changed the other
    /// part in between. Other subresources, such as `scale`, are parts of these two.
    pub(super) fn replaced(
        &self,
        resource: &GroupResource,
        key: &ObjectKey,
        subresource: &str,
        (from, to): (&str, &Str),
    ) {
        let is_part = |subresource: &str| matches!(subresource, "" | "status");
        if !is_part(subresource) {
            return;
        }
        let mut generations = self.lock();
        for last in generations.get_mut((resource.clone(), key.clone())) {
            let other = last.apply.subresource != subresource && is_part(&last.apply.subresource);
            if other && last.resource_version == from {
                last.resource_version = to.clone();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn get(&self, id: &Id) -> Option<&Vec<Last>> {
        self.young.get(id).or_else(|| self.old.get(id))
    }

    fn get_mut(&mut self, id: Id) -> &mut Vec<Last> {
        if !self.young.contains_key(&id) {
            if self.young.len() >= GENERATION {
                self.old = std::mem::take(&mut self.young);
            }
            let known = self.old.remove(&id).unwrap_or_default();
            self.young.insert(id.clone(), known);
        }
        self.young.entry(id).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(subresource: &str, manager: &str, document: &str) -> Apply {
        Apply::new(subresource.into(), manager.into(), &[], document.as_bytes())
    }

    #[test]
    fn the_last_apply_of_a_manager_counts_at_its_version() {
        let (applies, pods, key) =
            (LastApplies::default(), GroupResource::new("", "pods"), ObjectKey::new("a", "b"));
        assert!(!applies.has(&pods, &key));
        applies.applied(&pods, &key, apply("", "m", "1"), &"5".into());
        let is_last = |apply: &Apply, version: &str| applies.is_last(&pods, &key, apply, version);
        assert!(is_last(&apply("", "m", "1"), "5"));
        for (other, version) in [
            (apply("", "m", "1"), "6"),
            (apply("", "m", "2"), "5"),
            (apply("", "n", "1"), "5"),
            (apply("status", "m", "1"), "5"),
        ] {
            assert!(!is_last(&other, version), "{other:?} {version}");
        }
        applies.applied(&pods, &key, apply("", "m", "2"), &"7".into());
        assert!(!is_last(&apply("", "m", "1"), "5") && is_last(&apply("", "m", "2"), "7"));
        // The status was replaced in between, based on that version.
        applies.replaced(&pods, &key, "status", ("7", &"8".into()));
        assert!(is_last(&apply("", "m", "2"), "8"));
        applies.replaced(&pods, &key, "status", ("9", &"10".into()));
        assert!(is_last(&apply("", "m", "2"), "8"), "somebody else wrote version 9");
        // The number of replicas is a part of what was applied.
        applies.replaced(&pods, &key, "scale", ("8", &"9".into()));
        assert!(!is_last(&apply("", "m", "2"), "9"));
    }

    #[test]
    fn memory_is_bounded() {
        let (applies, pods) = (LastApplies::default(), GroupResource::new("", "pods"));
        for index in 0..3 * GENERATION {
            applies.applied(&pods, &ObjectKey::new("a", index.to_string()), apply("", "m", "1"), &"5".into());
        }
        let generations = applies.lock();
        assert!(generations.young.len() + generations.old.len() <= 2 * GENERATION);
    }
}
