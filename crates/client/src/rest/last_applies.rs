//! The last applies of a client, with the versions that the server returned.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::meta::v1::{ObjectMeta, PartialObjectMetadata};
use client_rs_machinery::wire::{Format, Payload};
use client_rs_machinery::{GroupResource, ObjectKey, Str};
use tokio::time::Instant;

/// How long an apply counts as the last one. After that it is sent once more, because the server may treat it differently by then: the
/// definition of its kind may have a new field.
const LIFE: Duration = Duration::from_hours(1);

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
    /// A hash of the metadata in the server's response: see [`Apply::metadata`].
    metadata: u64,
    at: Instant,
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

    /// A hash of the metadata that this apply may have set, and of the fields that its manager owns: it stays the same if a write of the
    /// other part of the object changes nothing in this one.
    fn metadata(&self, metadata: &ObjectMeta) -> u64 {
        let is_own = |manager: &Str, operation: &Str, subresource: &Str| {
            (manager.as_str(), operation.as_str(), subresource.as_str())
                == (&*self.manager, "Apply", &*self.subresource)
        };
        let own = metadata
            .managed_fields
            .iter()
            .filter(|entry| is_own(&entry.manager, &entry.operation, &entry.subresource));
        let metadata = ObjectMeta {
            resource_version: Str::EMPTY,
            // It changes with the spec, which is the other part for an apply of the status.
            generation: if self.subresource == "status" { 0 } else { metadata.generation },
            managed_fields: own.cloned().collect(),
            ..metadata.clone()
        };
        let mut hasher = DefaultHasher::new();
        PartialObjectMetadata { metadata }.encode(Format::Json).hash(&mut hasher);
        hasher.finish()
    }

    fn is_same_place(&self, other: &Self) -> bool {
        self.subresource == other.subresource && self.manager == other.manager
    }
}

impl LastApplies {
    /// Whether this was the last apply of the manager, less than an hour ago, and the server returned this version.
    pub(super) fn is_last(
        &self,
        resource: &GroupResource,
        key: &ObjectKey,
        apply: &Apply,
        resource_version: &str,
    ) -> bool {
        let id = (resource.clone(), key.clone());
        let is_it = |last: &Last| {
            last.apply == *apply && last.resource_version == resource_version && last.at.elapsed() < LIFE
        };
        self.lock().get(&id).is_some_and(|lasts| lasts.iter().any(is_it))
    }

    /// An apply has returned an object with this metadata.
    pub(super) fn applied(
        &self,
        resource: &GroupResource,
        key: &ObjectKey,
        apply: Apply,
        returned: &ObjectMeta,
    ) {
        let id = (resource.clone(), key.clone());
        let (metadata, resource_version) = (apply.metadata(returned), returned.resource_version.clone());
        let mut generations = self.lock();
        let lasts = generations.get_mut(id);
        lasts.retain(|last| !last.apply.is_same_place(&apply));
        lasts.push(Last { apply, resource_version, metadata, at: Instant::now() });
    }

    /// Whether something was applied to the object.
    pub(super) fn has(&self, resource: &GroupResource, key: &ObjectKey) -> bool {
        self.lock().get(&(resource.clone(), key.clone())).is_some()
    }

    /// A replacement of the object or of its status was based on version `from` and returned an object with this metadata: nobody has
    /// changed the other part in between. The metadata belongs to both parts, since many kinds take labels and annotations from an update
    /// of the status too, so the response must have it as it was. Other subresources, such as `scale`, are parts of these two.
    pub(super) fn replaced(
        &self,
        resource: &GroupResource,
        key: &ObjectKey,
        subresource: &str,
        from: &str,
        returned: &ObjectMeta,
    ) {
        let is_part = |subresource: &str| matches!(subresource, "" | "status");
        if !is_part(subresource) {
            return;
        }
        let mut generations = self.lock();
        for last in generations.get_mut((resource.clone(), key.clone())) {
            let other = last.apply.subresource != subresource && is_part(&last.apply.subresource);
            if other && last.resource_version == from && last.apply.metadata(returned) == last.metadata {
                last.resource_version = returned.resource_version.clone();
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
    use client_rs_machinery::wire::Decoding;

    use super::*;

    fn apply(subresource: &str, manager: &str, document: &str) -> Apply {
        Apply::new(subresource.into(), manager.into(), &[], document.as_bytes())
    }

    /// Metadata at a version, with a label, and with the fields that manager `m` has applied.
    fn metadata(version: &str, label: &str, owns: &str) -> ObjectMeta {
        let text = format!(
            r#"{{"metadata": {{"name": "b", "resourceVersion": "{version}", "labels": {{"a": "{label}"}}, "managedFields": [
                {{"manager": "m", "operation": "Apply", "fieldsV1": {{"f:{owns}": {{}}}}}},
                {{"manager": "v{version}", "operation": "Update", "subresource": "status"}}
            ]}}}}"#
        );
        let decoded = PartialObjectMetadata::decode(Format::Json, text.as_bytes(), &mut Decoding::new());
        decoded.unwrap().metadata
    }

    fn at(version: &str) -> ObjectMeta {
        metadata(version, "1", "data")
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_apply_of_a_manager_counts_at_its_version_until_it_expires() {
        let (applies, pods, key) =
            (LastApplies::default(), GroupResource::new("", "pods"), ObjectKey::new("a", "b"));
        assert!(!applies.has(&pods, &key));
        applies.applied(&pods, &key, apply("", "m", "1"), &at("5"));
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
        applies.applied(&pods, &key, apply("", "m", "2"), &at("7"));
        assert!(!is_last(&apply("", "m", "1"), "5") && is_last(&apply("", "m", "2"), "7"));
        tokio::time::advance(LIFE / 2).await;
        // The status was replaced in between, based on that version.
        applies.replaced(&pods, &key, "status", "7", &at("8"));
        assert!(is_last(&apply("", "m", "2"), "8"));
        applies.replaced(&pods, &key, "status", "9", &at("10"));
        assert!(is_last(&apply("", "m", "2"), "8"), "somebody else wrote version 9");
        tokio::time::advance(LIFE / 2).await;
        assert!(!is_last(&apply("", "m", "2"), "8"), "an update of the status does not renew it");
    }

    #[test]
    fn a_write_that_may_have_changed_an_applied_field_ends_it() {
        let (pods, key) = (GroupResource::new("", "pods"), ObjectKey::new("a", "b"));
        let respec = ObjectMeta { generation: 2, ..at("6") };
        for (applied, replaced, returned, kept) in [
            ("", "status", at("6"), true),
            ("", "status", metadata("6", "2", "data"), false),
            ("", "status", metadata("6", "1", "spec"), false),
            // The server treats the status as a part of the spec.
            ("", "status", respec.clone(), false),
            ("status", "", respec, true),
            ("status", "", metadata("6", "2", "data"), false),
            // The number of replicas is a part of what was applied.
            ("", "scale", at("6"), false),
            ("", "", at("6"), false),
        ] {
            let applies = LastApplies::default();
            applies.applied(&pods, &key, apply(applied, "m", "1"), &at("5"));
            applies.replaced(&pods, &key, replaced, "5", &returned);
            let is_last = applies.is_last(&pods, &key, &apply(applied, "m", "1"), "6");
            assert_eq!(is_last, kept, "{applied:?} {replaced:?} {returned:?}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let (applies, pods) = (LastApplies::default(), GroupResource::new("", "pods"));
        for index in 0..3 * GENERATION {
            applies.applied(&pods, &ObjectKey::new("a", index.to_string()), apply("", "m", "1"), &at("5"));
        }
        let generations = applies.lock();
        assert!(generations.young.len() + generations.old.len() <= 2 * GENERATION);
    }
}
