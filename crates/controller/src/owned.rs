//! What an object owns: applied where it differs, adopted where it has no owner, removed where it is no longer wanted.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use client_rs_client::Error;
use client_rs_client::api::{Api, ApplyConfiguration, ByName};
use client_rs_machinery::meta::v1::OwnerReference;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::references::{
    ReferenceError, add_owner, controller_reference, controls, remove_owner,
};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Json, List, Object, Resource, Str, json, verbs};

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
    /// Plural, namespace and name of what was wanted.
    wanted: BTreeSet<(&'static str, Str, Str)>,
}

/// What became of an object that was applied.
#[derive(Clone, Debug, PartialEq)]
pub enum Applied<K> {
    /// The server was asked; this is the object now.
    Written(K),
    /// The object was as it should be, and nothing was sent.
    AsWanted,
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
        Ok(Self { owner, reference, manager: manager.into(), wanted: BTreeSet::new() })
    }

    /// Applies an object that the owner wants; forced, since whoever else sets these fields is wrong.
    ///
    /// `current` is the object as a cache has it: where it is what was asked for the last time, is asked for now, and still
    /// holds every value of it, nothing is sent. An old cache is harmless: at worst one request changes nothing, or the next
    /// event brings another reconcile. An object that another controls is not touched.
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
        let asked = fingerprint(&document);
        self.wanted.insert((K::INFO.plural, self.owner.namespace().into(), name.into()));
        if let Some(current) = current {
            if let Some(other) = current.controller().filter(|other| other.uid != self.owner.uid()) {
                let (kind, name) = (other.kind.into(), other.name.into());
                return Err(ReferenceError::Controlled { kind, name }.into());
            }
            let same_ask = current.annotation(ASKED) == Some(asked.as_str());
            if same_ask && !current.is_being_deleted() && holds(&as_json(current), &document) {
                return Ok(Applied::AsWanted);
            }
        }
        document.set(&["metadata", "annotations", ASKED], asked).map_err(no_object)?;
        Ok(Applied::Written(api.apply(document, self.manager.clone()).force().await?))
    }

    /// Deletes of `present`, a cache's objects of a kind, those that the owner controls and that were not applied; gives how
    /// many. Each is deleted by its UID, so that one of the same name that somebody made since stays.
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
            let key = (K::INFO.plural, Str::from(self.owner.namespace()), Str::from(object.name()));
            if !controls(self.owner, &*object) || object.is_being_deleted() || self.wanted.contains(&key) {
                continue;
            }
            match api.delete(object.name()).if_uid(object.uid()).await {
                Ok(_) => pruned += 1,
                Err(error) if error.is_not_found() || error.is_conflict() => {}
                Err(error) => return Err(error.into()),
            }
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
    api.patch(object.name(), &patch).await?;
    Ok(())
}

fn as_json<K: Payload>(object: &K) -> Json {
    Json::parse(&object.encode(client_rs_machinery::wire::Format::Json)).unwrap_or_default()
}

/// Whether an object has every value of a document: what is there besides is the server's or another's. Lists have as many
/// items, in the same order.
fn holds(object: &Json, wanted: &Json) -> bool {
    match (object, wanted) {
        (Json::Map(object), Json::Map(wanted)) => {
            wanted.iter().all(|(key, value)| object.get(key.as_str()).is_some_and(|own| holds(own, value)))
        }
        (Json::List(object), Json::List(wanted)) => {
            object.len() == wanted.len()
                && object.iter().zip(wanted.iter()).all(|(own, value)| holds(own, value))
        }
        (object, wanted) => object == wanted,
    }
}

/// A fingerprint of a document, the same in every process: FNV-1a of its text, whose keys are sorted. It tells whether what
/// is asked for has changed, and guards nothing.
fn fingerprint(document: &Json) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in document.to_vec() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_holds_what_is_wanted_and_more() {
        let object = json!({"a": 1, "b": {"c": [1, {"d": 2, "e": 3}], "f": null}});
        for (wanted, expected) in [
            (json!({}), true),
            (json!({"b": {"c": [1, {"d": 2}]}}), true),
            (json!({"b": {"c": [1]}}), false),
            (json!({"b": {"c": [1, {"d": 3}]}}), false),
            (json!({"x": 1}), false),
            (json!({"a": "1"}), false),
        ] {
            assert_eq!(holds(&object, &wanted), expected, "{wanted}");
        }
    }

    #[test]
    fn a_fingerprint_is_of_the_content() {
        assert_eq!(fingerprint(&json!({"a": 1, "b": 2})), fingerprint(&json!({"b": 2, "a": 1})));
        assert_ne!(fingerprint(&json!({"a": 1})), fingerprint(&json!({"a": 2})));
    }
}
