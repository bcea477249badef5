//! What an object owns: applied where it differs, adopted where it has no owner, removed where it is no longer wanted.

mod learned;
#[cfg(test)]
mod recorded_tests;
mod same;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_client::Error;
use client_rs_client::api::{Api, ApplyConfiguration, ByName};
use client_rs_machinery::meta::v1::OwnerReference;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::references::{
    ReferenceError, add_owner, controller_reference, controls, remove_owner,
};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Json, List, Object, Resource, Str, json, verbs};
use tokio::time::Instant;

use self::learned::learned;
use self::same::{aligned, as_json, comparable, holds, values_at};
use crate::options::WRITE_TIMEOUT;

/// The annotation by which an applied object remembers what was asked of it.
const ASKED: &str = "client-rs.io/applied";

/// The objects that one object owns, while it is reconciled: each wanted one is [applied](Self::apply), then what is left
/// of former ones is [pruned](Self::prune).
///
/// All requests are server-side apply by one field manager; every object gets an owner reference that says that the owner
/// controls it, so the garbage collector removes it with the owner.
pub struct Owned<'o> {
    owner: &'o dyn Object,
    reference: Json,
    manager: Str,
    timeout: Duration,
    wanted: BTreeSet<Wanted>,
}

/// Group, plural, namespace and name of an object.
type Wanted = (&'static str, &'static str, Str, Str);

/// What became of an object that was applied.
#[derive(Clone, Debug, PartialEq)]
pub enum Applied<K> {
    /// The server was asked; this is the object now.
    Written(K),
    /// The object was as it should be, and nothing was sent.
    Unchanged,
}

/// Why an object is not owned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnError {
    /// It can't be: the owner is not on a server, in another namespace, or another controls the object.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The document is no object.
    #[error("what is to be applied is no object")]
    NoObject,
    /// The server refuses, or can't be asked.
    #[error(transparent)]
    Request(#[from] Error),
}

impl<'o> Owned<'o> {
    /// What `owner`, as it was read from a server, owns by the field manager `manager`.
    pub fn by(owner: &'o dyn Object, manager: impl Into<Str>) -> Result<Self, ReferenceError> {
        let reference = controller_reference(owner)?;
        let reference = Json::from_serde(&reference).unwrap_or_default();
        Ok(Self {
            owner,
            reference,
            manager: manager.into(),
            timeout: WRITE_TIMEOUT,
            wanted: BTreeSet::new(),
        })
    }

    /// How long each write may take. Default: one minute. A shorter timeout of the client still counts.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Applies an object that the owner wants. The apply is forced: the owner decides about these fields, whoever has set
    /// them since.
    ///
    /// `current` is the whole object as a cache has it. Nothing is sent where it is what the server would make of the
    /// document again: the same document was applied last, and each of its values still holds. A value holds
    ///
    /// - if the kind's type says that both are the same: `0.5` and `500m` of CPU, an empty list or map and none, `false` and
    ///   nothing, `stringData` of a Secret and its `data`, or fields that the server ignores or fills in; or
    /// - if it is what the server answered this very document with, the last time that this process applied it. That covers
    ///   all else that a server changes: values of custom kinds in other words, containers that a webhook adds. It counts
    ///   for an hour; then, and after a restart, one request changes nothing.
    ///
    /// What others change in these fields is put right; what they add besides stays. An old cache is harmless: at worst one
    /// request changes nothing, or the next event brings another reconcile. An object that another owner controls is not
    /// touched.
    ///
    /// Memory: two numbers for each object whose values hold for the second reason, 65,536 objects at most.
    pub async fn apply<K, S, C>(
        &mut self,
        api: &Api<K, S>,
        configuration: C,
        current: Option<&K>,
    ) -> Result<Applied<K>, OwnError>
    where
        K: Resource + Payload + verbs::Patch,
        S: ByName,
        C: ApplyConfiguration<K>,
    {
        let mut document = configuration.document().clone();
        let no_object = |_| OwnError::NoObject;
        document.set(&["metadata", "ownerReferences"], json!([self.reference.clone()])).map_err(no_object)?;
        let name = document["metadata"]["name"].as_str().unwrap_or_default();
        self.wanted.insert(key_of::<K>(api.namespace_name(), name));
        let asked = fingerprint(&document);
        let annotation = format!("{asked:016x}");
        let wanted = comparable::<K>(&document);
        if let Some(current) = current {
            if let Some(other) = current.controller().filter(|other| other.uid != self.owner.uid()) {
                let (kind, name) = (other.kind.into(), other.name.into());
                return Err(ReferenceError::Controlled { kind, name }.into());
            }
            let same_ask = current.annotation(ASKED) == Some(annotation.as_str());
            if same_ask && !current.is_being_deleted() {
                let live = as_json(current);
                let wanted = aligned(&live, &wanted);
                if holds::<K>(&live, &wanted) || self.is_answer(current.uid(), asked, &live, &wanted) {
                    return Ok(Applied::Unchanged);
                }
            }
        }
        document.set(&["metadata", "annotations", ASKED], annotation).map_err(no_object)?;
        let request = api.apply(document, self.manager.clone()).force().timeout(self.timeout);
        let written = request.await?;
        let live = as_json(&written);
        let wanted = aligned(&live, &wanted);
        if holds::<K>(&live, &wanted) {
            learned().forget(written.uid(), &self.manager);
        } else {
            let values = fingerprint(&values_at(&live, &wanted));
            learned().learn(written.uid(), &self.manager, asked, values, Instant::now());
        }
        Ok(Applied::Written(written))
    }

    /// Whether the object has the values that the server answered the document with.
    fn is_answer(&self, uid: &str, asked: u64, live: &Json, wanted: &Json) -> bool {
        let values = fingerprint(&values_at(live, wanted));
        learned().knows(uid, &self.manager, asked, values, Instant::now())
    }

    /// Deletes of `present`, a cache's objects of a kind, those that the owner controls and that were not applied; returns how
    /// many. Each is deleted by its UID, so that one of the same name that somebody made since stays. Objects of other
    /// namespaces than the handle's are passed over: call it once a namespace.
    pub async fn prune<K, S>(
        &self,
        api: &Api<K, S>,
        present: impl IntoIterator<Item = Arc<K>>,
    ) -> Result<usize, OwnError>
    where
        K: Resource + Payload + verbs::Delete,
        S: ByName,
    {
        let mut pruned = 0;
        for object in present {
            let ours = controls(self.owner, &*object) && object.namespace() == api.namespace_name();
            if !ours
                || object.is_being_deleted()
                || self.wanted.contains(&key_of::<K>(object.namespace(), object.name()))
            {
                continue;
            }
            match api.delete(object.name()).if_uid(object.uid()).timeout(self.timeout).await {
                Ok(_) => pruned += 1,
                Err(error) if error.is_not_found() || error.is_conflict() => {}
                Err(error) => return Err(error.into()),
            }
            learned().forget(object.uid(), &self.manager);
        }
        Ok(pruned)
    }
}

impl fmt::Debug for Owned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owned")
            .field("owner", &self.owner.key())
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}

/// Makes `owner` the controller of an object that has none; whether it was made so now. One that another controls, or an
/// owner that is going, is left alone, which is an error or no change.
///
/// The write is for the version of the object that was seen: of two that adopt at once, one fails with a conflict.
pub async fn adopt<K, S>(api: &Api<K, S>, owner: &dyn Object, object: &K) -> Result<bool, OwnError>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    if controls(owner, object) || owner.is_being_deleted() || object.is_being_deleted() {
        return Ok(false);
    }
    let mut owners = owners_of(object);
    let reference = controller_reference(owner)?;
    add_owner(&mut owners, object.namespace(), owner, reference)?;
    write_owners(api, object, &owners).await?;
    Ok(true)
}

/// Takes `owner` from the owners of an object, which no longer fits; whether it was one.
pub async fn release<K, S>(api: &Api<K, S>, owner: &dyn Object, object: &K) -> Result<bool, OwnError>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let mut owners = owners_of(object);
    if !remove_owner(&mut owners, owner.uid()) {
        return Ok(false);
    }
    match write_owners(api, object, &owners).await {
        Err(OwnError::Request(error)) if error.is_not_found() => Ok(false),
        written => written.map(|()| true),
    }
}

fn owners_of(object: &dyn Object) -> List<OwnerReference> {
    let owners = object.meta().owner_references().map(|known| OwnerReference {
        api_version: known.api_version.into(),
        kind: known.kind.into(),
        name: known.name.into(),
        uid: known.uid.into(),
        controller: known.controller.then_some(true),
        block_owner_deletion: known.block_owner_deletion.then_some(true),
    });
    owners.collect()
}

async fn write_owners<K, S>(
    api: &Api<K, S>,
    object: &K,
    owners: &List<OwnerReference>,
) -> Result<(), OwnError>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let owners = Json::from_serde(owners).unwrap_or_default();
    let patch = Patch::Merge(json!({
        "metadata": {
            "uid": object.uid(), "resourceVersion": object.resource_version(), "ownerReferences": owners,
        },
    }));
    api.patch(object.name(), &patch).timeout(WRITE_TIMEOUT).await?;
    Ok(())
}

fn key_of<K: Resource>(namespace: &str, name: &str) -> Wanted {
    (K::INFO.group, K::INFO.plural, namespace.into(), name.into())
}

/// A fingerprint of a document, the same in every process: FNV-1a of its text, whose keys are sorted. It tells whether what
/// is asked for has changed, and guards nothing.
fn fingerprint(document: &Json) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in document.to_vec() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_of_the_content() {
        assert_eq!(fingerprint(&json!({"a": 1, "b": 2})), fingerprint(&json!({"b": 2, "a": 1})));
        assert_ne!(fingerprint(&json!({"a": 1})), fingerprint(&json!({"a": 2})));
    }
}
