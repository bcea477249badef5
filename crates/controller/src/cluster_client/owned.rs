//! [`OwnedObjects`]: children, with caches and handles found by kind.

use std::fmt;

use client_rs_client::AllNamespaces;
use client_rs_client::api::{Api, ApplyConfiguration};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::references::ReferenceError;
use client_rs_machinery::{Object, ObjectKey, Str, verbs};

use super::{CachedKind, ClusterClient};
use crate::{Applied, OwnError, Owned};

/// The children of an object in one run, of any number of kinds: [`Owned`], which finds the cached child and the handle of its kind
/// itself. Made by [`ClusterClient::owned`].
///
/// The kinds of the children need informers, as every kind that is read ([`ClusterOptions::uncached`](super::ClusterOptions::uncached)).
/// Name them with [`Controller::owns`](crate::Controller::owns), so that a change of a child leads to a run.
pub struct OwnedObjects<'c> {
    client: &'c ClusterClient,
    owner: &'c dyn Object,
    owned: Owned<'c>,
}

impl ClusterClient {
    /// The children of `owner`. Applied with the name of this client as the field manager.
    ///
    /// # Errors
    ///
    /// [`ReferenceError`] if the owner was not read from a server.
    pub fn owned<'c>(&'c self, owner: &'c dyn Object) -> Result<OwnedObjects<'c>, ReferenceError> {
        let children = Owned::by(owner, self.shared.name.clone())?;
        Ok(OwnedObjects { client: self, owner, owned: children })
    }
}

impl OwnedObjects<'_> {
    /// Applies a desired child, unless the cache shows that it is already so; see [`Owned::apply`]. A document without a namespace is in
    /// that of the owner.
    ///
    /// # Errors
    ///
    /// As [`Owned::apply`], and [`OwnError::Read`] if the kind can't be read.
    pub async fn apply<K>(
        &mut self,
        configuration: impl ApplyConfiguration<K>,
    ) -> Result<Applied<K>, OwnError>
    where
        K: CachedKind + verbs::Patch,
    {
        let metadata = &configuration.document()["metadata"];
        let key = ObjectKey {
            namespace: self.namespace_of::<K>(metadata["namespace"].as_str()),
            name: metadata["name"].as_str().unwrap_or_default().into(),
        };
        let current = self.client.get::<K>(&key).await?;
        let api = Api::<K>::in_scope(&self.client.rest, key.namespace);
        self.owned.apply(&api, configuration, current.as_deref()).await
    }

    /// Deletes the children of a kind that were not applied in this run. Returns how many. Call it after all desired children were
    /// applied. It looks into the owner's namespace, or into all namespaces if the owner is cluster-scoped. See [`Owned::prune`].
    ///
    /// # Errors
    ///
    /// As [`Owned::prune`], and [`OwnError::Read`] if the kind can't be read.
    pub async fn prune<K>(&self) -> Result<usize, OwnError>
    where
        K: CachedKind + verbs::Delete,
    {
        let everything = Selector::everything();
        let present = if self.owner.namespace().is_empty() || !K::INFO.namespaced {
            self.client.list::<K>(AllNamespaces, &everything).await?
        } else {
            self.client.list::<K>(self.owner.namespace(), &everything).await?
        };
        let mut namespaces: Vec<Str> = present.iter().map(|object| object.namespace().into()).collect();
        namespaces.sort_unstable();
        namespaces.dedup();
        let mut pruned = 0;
        for namespace in namespaces {
            let api = Api::<K>::in_scope(&self.client.rest, namespace);
            pruned += self.owned.prune(&api, present.iter().cloned()).await?;
        }
        Ok(pruned)
    }

    fn namespace_of<K: CachedKind>(&self, own: Option<&str>) -> Str {
        match own {
            _ if !K::INFO.namespaced => Str::EMPTY,
            Some(namespace) if !namespace.is_empty() => namespace.into(),
            _ => self.owner.namespace().into(),
        }
    }
}

impl fmt::Debug for OwnedObjects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnedObjects").field(&self.owned).finish()
    }
}
