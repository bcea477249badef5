//! Child objects of an owner: applied if they differ, adopted if they have no owner, removed if they are no longer wanted.

mod learned;
mod live;
#[cfg(test)]
mod recorded_tests;
mod same;
mod shape;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_client::Error;
use client_rs_client::api::{Api, ApplyConfiguration, ByName, Propagation};
use client_rs_machinery::meta::v1::{OwnerReference, PartialObjectMetadata};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::references::{
    ReferenceError, add_owner, controller_reference, controls, remove_owner,
};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Json, List, Object, ObjectKey, Resource, Str, json, verbs};
use tokio::time::Instant;

use self::learned::learned;
use self::live::live;
use self::same::{aligned, as_json, comparable, holds, move_string_data, values_at};
use self::shape::{Shape, learn_shape, shape_of};
use crate::ReadError;
use crate::options::WRITE_TIMEOUT;

/// The annotation with the fingerprint of the document that was applied begins with this, and ends with the field manager: several managers
/// may apply parts of one object.
const ASKED: &str = "client-rs.io/applied.";

/// The longest name of an annotation after its prefix.
const LONGEST_NAME: usize = 63;

/// How often an object is pruned again after a conflict.
const PRUNES: usize = 5;

/// The finalizers of deletions that orphan the children, and that wait for them.
const COLLECTOR: [&str; 2] = ["orphan", "foregroundDeletion"];

/// The deletion of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deletion {
    /// It is not being deleted.
    None,
    /// It is being deleted. Its children follow later.
    OfOwner,
    /// The garbage collector deletes its children first, or orphans them.
    OfChildrenToo,
}

/// The child objects of one object, during a reconcile: [apply](Self::apply) each desired one, then [prune](Self::prune)
/// those that are left from earlier.
///
/// Use it in a reconcile function instead of get-compare-update. All writes are server-side apply by one field manager.
/// Every child gets an owner reference with `controller: true`, so the garbage collector removes it with the owner. Add
/// [`Controller::owns`](crate::Controller::owns) for the kind of the children, so that changes of them are noticed.
///
/// Do not use it for things outside of the cluster or in another namespace than the owner's: an owner reference can't reach
/// them. Use a [`finalizer`](crate::finalizer()) for those.
///
/// ```
/// # use client_rs_apiserver::{Server, ServerOptions};
/// # use std::sync::Arc;
/// use client_rs_api::core::v1::{ConfigMap, Secret};
/// use client_rs_client::Api;
/// use client_rs_controller::{Applied, Owned};
/// use client_rs_machinery::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
/// # let rest = server.rest_client()?;
/// let maps = Api::<ConfigMap>::namespaced(&rest, "default");
/// let app = maps.apply(json!({"metadata": {"name": "app"}}), "user").await?;
/// let secrets = Api::<Secret>::namespaced(&rest, "default");
/// let desired = json!({"metadata": {"name": "app-key"}, "stringData": {"key": "abc"}});
///
/// // The first reconcile creates the child.
/// let mut owned = Owned::by(&app, "app-operator")?;
/// let Applied::Written(child) = owned.apply(&secrets, &desired, None).await? else { panic!("it is new") };
/// // The second one finds it in the cache as desired, and sends nothing.
/// let mut owned = Owned::by(&app, "app-operator")?;
/// assert_eq!(owned.apply(&secrets, &desired, Some(&child)).await?, Applied::Unchanged);
/// // A reconcile that no longer wants it removes it.
/// let owned = Owned::by(&app, "app-operator")?;
/// assert_eq!(owned.prune(&secrets, [Arc::new(child)]).await?, 1);
/// assert!(secrets.get("app-key").await.is_err_and(|error| error.is_not_found()));
/// # Ok(())
/// # }
/// ```
pub struct Owned<'o> {
    owner: &'o dyn Object,
    writer: OwnedWriter,
    wanted: BTreeSet<Wanted>,
}

/// Writes objects with an owner.
pub(crate) struct OwnedWriter {
    /// The reference to the owner.
    pub(crate) reference: Json,
    pub(crate) manager: Str,
    pub(crate) timeout: Duration,
    /// Whether fields of other managers are taken over.
    pub(crate) force: bool,
}

/// Group, plural, namespace and name of an object.
type Wanted = (&'static str, &'static str, Str, Str);

/// The result of [`Owned::apply`].
#[derive(Clone, Debug, PartialEq)]
pub enum Applied<K> {
    /// A request was sent. This is the object in the server's response.
    Written(K),
    /// The object was already as desired, and no request was sent.
    Unchanged,
    /// The owner is being deleted, and the garbage collector decides about the object: no request was sent.
    OwnerDeleted,
}

/// The reason why an object was not applied, pruned, adopted or released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnError {
    /// The owner can't own it: the owner was not read from a server, is in another namespace, or another object is its
    /// controller.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The document of a derived object has another name or namespace than its entry.
    #[error(
        "the entry {key} has a document whose {field} is {document:?}: leave it out, or change the key of the entry"
    )]
    Key {
        /// `name` or `namespace`.
        field: &'static str,
        /// The value in the document.
        document: Str,
        /// The key of the entry.
        key: ObjectKey,
    },
    /// The document, or its metadata, is not a JSON object.
    #[error("the document to apply is not a JSON object")]
    NoObject,
    /// The cache of the kind can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The server refused the request, or could not be reached.
    #[error(transparent)]
    Request(#[from] Error),
}

impl<'o> Owned<'o> {
    /// The children of `owner`, written by the field manager `manager`. The owner must have been read from a server.
    ///
    /// # Errors
    ///
    /// [`ReferenceError`] if the owner has no UID, name or kind.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_controller::Owned;
    ///
    /// // This object was never on a server, so nothing can refer to it.
    /// assert!(Owned::by(&ConfigMap::EMPTY, "app-operator").is_err());
    /// ```
    pub fn by(owner: &'o dyn Object, manager: impl Into<Str>) -> Result<Self, ReferenceError> {
        let reference = controller_reference(owner)?;
        let writer = OwnedWriter {
            reference: Json::from_serde(&reference).unwrap_or_default(),
            manager: manager.into(),
            timeout: WRITE_TIMEOUT,
            force: true,
        };
        Ok(Self { owner, writer, wanted: BTreeSet::new() })
    }

    /// The timeout of each write. Default: one minute. A shorter timeout of the client still applies.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.writer.timeout = timeout;
        self
    }

    /// Applies a desired child. The apply is forced: the owner decides about these fields, even if others have set them
    /// since.
    ///
    /// `current` is the whole object from a cache. No request is sent if the same document was applied last and each of its
    /// values still holds. A value holds
    ///
    /// - if the kind's type treats both as equal: `0.5` and `500m` of CPU, an empty and a missing list or map, `false` and a
    ///   missing field, `stringData` of a Secret and its `data`, or fields that the server ignores or fills in; or
    /// - if it equals the server's response to this document, the last time that this process applied it. That covers
    ///   everything else that a server changes: normalized values of custom kinds, containers that a webhook adds. It is
    ///   valid for an hour. Then, and after a restart, one request is sent that changes nothing.
    ///
    /// An object that the owner does not control in the cache is looked up on the server first, by a list with its name: another object may
    /// control it by now. That includes each object that is created.
    ///
    /// Changes that others make in these fields are reverted. Fields that others add stay, except in maps and lists that have one owner as a
    /// whole (`x-kubernetes-map-type` or `-list-type` is `atomic`), such as the selector of a Service: the document decides about all of
    /// their values, unless it has none. The response to an apply shows which these are, so one request per kind is sent after a restart, and one for each map or
    /// list that no earlier document of the kind had. An outdated cache is harmless: at
    /// worst one request changes nothing, or the next event brings another reconcile. Not promised: if two owners of one field manager apply
    /// the same new object in the same moment, the later one may get it.
    ///
    /// While the owner is being deleted, an object that it does not control is left alone: a deletion that orphans its children has
    /// removed their references, and with a new reference they would be deleted. A new object is created only if the deletion does not
    /// wait for the children (`foregroundDeletion`) and does not orphan them: a clean-up may need one.
    ///
    /// Memory: two numbers per object whose values hold for the second reason, 65,536 objects at most; and the names of the maps and lists
    /// in the documents of a kind, 4,096 per kind at most.
    ///
    /// # Errors
    ///
    /// [`OwnError::Reference`] if `current` has another controller: such an object is not changed; or if the owner is in another
    /// namespace than the handle's: the garbage collector would not find it. Otherwise the errors of the request.
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
        let document = configuration.document().clone();
        let name = document["metadata"]["name"].as_str().unwrap_or_default();
        self.wanted.insert(key_of::<K>(api.namespace_name(), name));
        let (owner, dependent) = (self.owner.namespace(), api.namespace_name());
        if !owner.is_empty() && owner != dependent {
            let (owner, dependent) = (owner.into(), dependent.into());
            return Err(ReferenceError::Namespace { owner, dependent }.into());
        }
        if self.leaves_to_others(current.map(|current| -> &dyn Object { current }))? {
            return Ok(Applied::OwnerDeleted);
        }
        // All owners write with one field manager, so that the server would let this apply replace the reference to another owner.
        if !name.is_empty() && !current.is_some_and(|current| controls(self.owner, current)) {
            let live = live::<K>(api.rest(), &ObjectKey::new(dependent, name), self.writer.timeout).await?;
            if self.leaves_to_others(live.as_ref().map(|live| -> &dyn Object { live }))? {
                return Ok(Applied::OwnerDeleted);
            }
        }
        self.writer.apply(api, document, current).await
    }

    /// Whether a child, which may not exist, is left to the garbage collector. It is an error if another object controls it.
    fn leaves_to_others(&self, child: Option<&dyn Object>) -> Result<bool, ReferenceError> {
        if let Some(other) = child.and_then(Object::controller)
            && other.uid != self.owner.uid()
        {
            return Err(ReferenceError::Controlled { kind: other.kind.into(), name: other.name.into() });
        }
        let controlled = child.map(|child| controls(self.owner, child));
        Ok(Deletion::of(self.owner).leaves_to_collector(controlled))
    }

    /// Deletes the objects of `present` that the owner controls and that were not applied. Returns how many.
    ///
    /// `present` are the cache's objects of a kind. Call it after all desired children were applied: it deletes everything
    /// else, with what those objects own. Each delete names the UID and the version, so a new object of the same name stays, and so does
    /// one that somebody has taken from the owner since. Objects in other namespaces than the handle's are skipped: call it once per
    /// namespace. Objects that are already gone are not an error.
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
            pruned += usize::from(self.delete(api, &*object).await?);
            self.writer.forget(object.uid());
        }
        Ok(pruned)
    }

    /// Deletes an object of the owner. Returns whether it did: not if the object is gone, or no longer one of the owner's.
    async fn delete<K, S>(&self, api: &Api<K, S>, object: &K) -> Result<bool, OwnError>
    where
        K: Resource + Payload + verbs::Delete,
        S: ByName,
    {
        let (name, uid, timeout) = (object.name(), object.uid(), self.writer.timeout);
        let mut version: Str = object.resource_version().into();
        let mut conflicts = 0;
        loop {
            // Also of kinds whose own default is to orphan, such as Job.
            let request = api.delete(name).propagation(Propagation::Background).if_uid(uid);
            match request.if_resource_version(version).timeout(timeout).await {
                Ok(_) => return Ok(true),
                Err(error) if error.is_not_found() => return Ok(false),
                Err(error) if error.is_conflict() && conflicts < PRUNES => conflicts += 1,
                Err(error) => return Err(error.into()),
            }
            let live = live::<K>(api.rest(), &ObjectKey::new(object.namespace(), name), timeout).await?;
            let is_ours = |live: &PartialObjectMetadata| {
                live.uid() == uid && controls(self.owner, live) && !live.is_being_deleted()
            };
            let Some(live) = live.filter(is_ours) else { return Ok(false) };
            version = live.metadata.resource_version;
        }
    }
}

impl Deletion {
    pub(crate) fn of(owner: &dyn Object) -> Self {
        match owner.meta().finalizers().any(|name| COLLECTOR.contains(&name)) {
            _ if !owner.is_being_deleted() => Self::None,
            true => Self::OfChildrenToo,
            false => Self::OfOwner,
        }
    }

    /// Whether the garbage collector decides about a child, and not the operator. `controlled` says whether the owner controls the child;
    /// `None` if there is no child yet.
    pub(crate) fn leaves_to_collector(self, controlled: Option<bool>) -> bool {
        match (self, controlled) {
            (Self::None, _) | (_, Some(true)) | (Self::OfOwner, None) => false,
            (_, Some(false)) | (Self::OfChildrenToo, None) => true,
        }
    }
}

impl OwnedWriter {
    /// Applies a document, unless the object in the cache has all of its values. Does not look at its controller.
    pub(crate) async fn apply<K, S>(
        &self,
        api: &Api<K, S>,
        mut document: Json,
        current: Option<&K>,
    ) -> Result<Applied<K>, OwnError>
    where
        K: Resource + Payload + verbs::Patch,
        S: ByName,
    {
        let no_object = |_| OwnError::NoObject;
        // The server would move the texts of a Secret too, but then nobody owns them, and what the document no longer has would stay.
        move_string_data::<K>(&mut document);
        document.set(&["metadata", "ownerReferences"], self.owners(&document)).map_err(no_object)?;
        let asked = fingerprint(&document);
        let annotation = format!("{asked:016x}");
        let wanted = comparable::<K>(&document);
        let mut shape = shape_of::<K>();
        let is_known = shape.covers(&wanted);
        let asked_in = asked_in(&self.manager);
        let same_ask = |current: &&K| current.annotation(&asked_in) == Some(annotation.as_str());
        let same_ask = current.filter(same_ask).filter(|current| !current.is_being_deleted());
        if let Some(current) = same_ask.filter(|_| is_known) {
            let live = as_json(current);
            let wanted = aligned(&live, &wanted);
            if holds::<K>(&live, &wanted, &shape)
                || self.is_answer(current.uid(), asked, &live, &wanted, &shape)
            {
                return Ok(Applied::Unchanged);
            }
        }
        document.set(&["metadata", "annotations", &asked_in], annotation).map_err(no_object)?;
        let mut request = api.apply(document, self.manager.clone()).timeout(self.timeout);
        if self.force {
            request = request.force();
        }
        let written = request.await?;
        let live = as_json(&written);
        // If values differ even though the document is the same, the definition of the kind may have changed.
        if !is_known || same_ask.is_some() {
            learn_shape::<K>(&wanted, &live, &self.manager, "");
            shape = shape_of::<K>();
        }
        let wanted = aligned(&live, &wanted);
        if holds::<K>(&live, &wanted, &shape) {
            self.forget(written.uid());
        } else {
            let values = fingerprint(&values_at(&live, &wanted, Some(&shape)));
            learned().learn(written.uid(), &self.manager, asked, values, Instant::now());
        }
        Ok(Applied::Written(written))
    }

    /// The owners that a document names, except for controllers, and the one of this writer.
    fn owners(&self, document: &Json) -> Json {
        let path = ["metadata", "ownerReferences"];
        let Some(Json::List(named)) = document.path(&path) else { return json!([self.reference.clone()]) };
        // An object has one controller.
        let is_other =
            |owner: &&Json| owner["uid"] != self.reference["uid"] && owner["controller"] != json!(true);
        let others = named.iter().filter(is_other);
        Json::List(others.chain([&self.reference]).cloned().collect())
    }

    /// Forgets the server's last response for an object.
    pub(crate) fn forget(&self, uid: &str) {
        learned().forget(uid, &self.manager);
    }

    /// Whether the object has the values of the server's last response to this document.
    fn is_answer(&self, uid: &str, asked: u64, live: &Json, wanted: &Json, shape: &Shape) -> bool {
        let values = fingerprint(&values_at(live, wanted, Some(shape)));
        learned().knows(uid, &self.manager, asked, values, Instant::now())
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

/// Makes `owner` the controller of an object without one. Returns whether it wrote the object.
///
/// Use it for objects that match the owner's selector but were created by others, as a ReplicaSet adopts pods. It changes
/// nothing if the owner already controls the object, or if one of the two is being deleted. It reads the owner's metadata from the server
/// first, by a list with its name, and changes nothing if the owner is gone: the garbage collector would delete the object.
///
/// # Errors
///
/// [`OwnError::Reference`] if another object is the controller. The write names the version that was read: if two owners
/// adopt at once, one of them gets a conflict.
///
/// ```
/// # use client_rs_apiserver::{Server, ServerOptions};
/// use client_rs_api::core::v1::{ConfigMap, Secret};
/// use client_rs_client::Api;
/// use client_rs_controller::{adopt, release};
/// use client_rs_machinery::{Object, json};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
/// # let rest = server.rest_client()?;
/// # let maps = Api::<ConfigMap>::namespaced(&rest, "default");
/// # let app = maps.apply(json!({"metadata": {"name": "app"}}), "user").await?;
/// let secrets = Api::<Secret>::namespaced(&rest, "default");
/// let orphan = secrets.apply(json!({"metadata": {"name": "key"}}), "user").await?;
/// assert!(adopt(&secrets, &app, &orphan).await?);
/// let adopted = secrets.get("key").await?;
/// assert_eq!(adopted.controller().map(|owner| owner.name), Some("app"));
/// assert!(release(&secrets, &app, &adopted).await?);
/// assert!(secrets.get("key").await?.controller().is_none());
/// # Ok(())
/// # }
/// ```
pub async fn adopt<K, S, O>(api: &Api<K, S>, owner: &O, object: &K) -> Result<bool, OwnError>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
    O: Resource,
{
    let may_adopt = |owner: &dyn Object| !Deletion::of(owner).leaves_to_collector(Some(false));
    if controls(owner, object) || !may_adopt(owner) || object.is_being_deleted() {
        return Ok(false);
    }
    let mut owners = owners_of(object);
    let reference = controller_reference(owner)?;
    add_owner(&mut owners, object.namespace(), owner, reference)?;
    let live = live::<O>(api.rest(), &owner.key(), WRITE_TIMEOUT).await?;
    if !live.is_some_and(|live| live.uid() == owner.uid() && may_adopt(&live)) {
        return Ok(false);
    }
    write_owners(api, object, &owners).await?;
    Ok(true)
}

/// Removes `owner` from the owner references of an object, such as one that no longer matches its selector. Returns whether
/// it was an owner. An object that is already gone is not an error. See [`adopt`] for an example.
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

/// A fingerprint of the values that the server returned for the status of a document.
#[cfg(feature = "collections")]
pub(crate) fn written_status<K: Resource + Payload>(written: &K, document: &Json, manager: &str) -> u64 {
    learn_shape::<K>(document, &as_json(written), manager, "status");
    status_at(written, document)
}

/// A fingerprint of the values that an object has for the status of a document.
#[cfg(feature = "collections")]
pub(crate) fn status_at<K: Resource + Payload>(object: &K, document: &Json) -> u64 {
    let wanted = json!({"status": document["status"].clone()});
    fingerprint(&values_at(&as_json(object), &wanted, Some(&shape_of::<K>())))
}

fn key_of<K: Resource>(namespace: &str, name: &str) -> Wanted {
    (K::INFO.group, K::INFO.plural, namespace.into(), name.into())
}

/// The annotation with the fingerprint of what this field manager has applied. A name that an annotation can't have is hashed.
fn asked_in(manager: &Str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
    let is_name = manager.bytes().all(|byte| is_plain(byte) || b"-_.".contains(&byte))
        && manager.bytes().next_back().is_some_and(is_plain);
    let name = format!("{ASKED}{manager}");
    if is_name && name.len() - "client-rs.io/".len() <= LONGEST_NAME {
        return name;
    }
    format!("{ASKED}{:016x}", fingerprint(&Json::from(manager.clone())))
}

/// A fingerprint of a document, the same in every process: FNV-1a of its text, whose keys are sorted. It detects changes and
/// is not cryptographic.
pub(crate) fn fingerprint(document: &Json) -> u64 {
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
    fn a_fingerprint_depends_on_the_content_and_not_on_the_order_of_keys() {
        assert_eq!(fingerprint(&json!({"a": 1, "b": 2})), fingerprint(&json!({"b": 2, "a": 1})));
        assert_ne!(fingerprint(&json!({"a": 1})), fingerprint(&json!({"a": 2})));
    }
    #[test]
    fn an_annotation_has_the_name_of_the_field_manager_if_it_may() {
        assert_eq!(asked_in(&"app-operator".into()), "client-rs.io/applied.app-operator");
        for manager in ["", "a/b", "a-", "a b", "ä", &"a".repeat(56)] {
            let name = asked_in(&manager.into());
            let (_, end) = name.rsplit_once('.').unwrap();
            assert!(
                end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{manager:?}: {name}"
            );
        }
        assert_eq!(asked_in(&"a".repeat(55).into()).len(), "client-rs.io/".len() + LONGEST_NAME);
        assert_ne!(asked_in(&"a/b".into()), asked_in(&"a/c".into()));
    }
}
