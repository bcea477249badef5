//! Reads from caches.

use std::sync::Arc;
use std::time::Duration;

use client_rs_cache::{Lister, SharedInformer};
use client_rs_client::Request;
use client_rs_client::api::{Api, Reach, Within};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::{GroupResource, ObjectKey};

use super::{CachedKind, ClusterClient, Uncached};
use crate::ReadError;

impl ClusterClient {
    /// Returns an object, or `None` if it does not exist. It comes from the cache of its kind.
    ///
    /// If the informer has no first list yet, this waits for it, at most for
    /// [`sync_timeout`](super::ClusterOptions::sync_timeout). If the kind has no informer,
    /// [`ClusterOptions::uncached`](super::ClusterOptions::uncached) decides.
    ///
    /// # Errors
    ///
    /// [`ReadError`].
    pub async fn get<K: CachedKind>(&self, key: &ObjectKey) -> Result<Option<Arc<K>>, ReadError> {
        let Some(cache) = self.cache::<K>().await? else {
            let api = Api::<K>::in_scope(&self.rest, key.namespace.clone());
            return Ok(api.get_opt(&key.name).await?.map(Arc::new));
        };
        let read = || cache.get(key);
        #[cfg(feature = "recording")]
        let found = crate::recording::read(read).await;
        #[cfg(not(feature = "recording"))]
        let found = read();
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the objects that a selector matches, of a namespace or of `AllNamespaces`, in no particular order. They come from the
    /// cache of their kind, as with [`get`](Self::get). For cluster-scoped kinds use `AllNamespaces`.
    ///
    /// # Errors
    ///
    /// [`ReadError`]. An empty namespace is an error, too.
    pub async fn list<K: CachedKind>(
        &self,
        within: impl Within,
        selector: &Selector,
    ) -> Result<Vec<Arc<K>>, ReadError> {
        let (one, namespace) = one_namespace(within);
        let Some(cache) = self.cache::<K>().await? else {
            if selector.is_nothing() {
                return Ok(Vec::new());
            }
            let mut request = Request::get().of::<K>();
            if one {
                request = request.namespace(&namespace);
            }
            if !selector.is_everything() {
                request = request.param("labelSelector", selector.to_string());
            }
            let list = self.rest.send_list::<K>(request).await?;
            return Ok(list.items.into_iter().map(Arc::new).collect());
        };
        let read = || {
            if one { cache.namespace(namespace.clone()).list(selector) } else { Ok(cache.list(selector)) }
        };
        #[cfg(feature = "recording")]
        let found = crate::recording::read(read).await;
        #[cfg(not(feature = "recording"))]
        let found = read();
        Ok(found?)
    }

    /// Returns the lister of a kind that has an informer, for reads by index and reads that can't wait. It does not wait for the first
    /// list, and starts nothing.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotCached`], for each value of [`ClusterOptions::uncached`](super::ClusterOptions::uncached).
    pub fn lister<K: CachedKind>(&self) -> Result<Lister<K>, ReadError> {
        match self.factory().informers().existing::<K>() {
            Some(informer) => Ok(lister_of(&informer)),
            None => Err(ReadError::NotCached(K::INFO.plural)),
        }
    }

    /// The cache of a kind with its first list; `None` if the server is to be asked.
    async fn cache<K: CachedKind>(&self) -> Result<Option<Lister<K>>, ReadError> {
        let informers = self.factory().informers();
        let informer = match (informers.existing::<K>(), self.shared.options.uncached) {
            (Some(informer), Uncached::StartInformer) => {
                if !informer.has_started() {
                    informers.start();
                }
                informer
            }
            (Some(informer), _) => informer,
            (None, Uncached::Refuse) => return Err(ReadError::NotCached(K::INFO.plural)),
            (None, Uncached::AskServer) => return Ok(None),
            (None, Uncached::StartInformer) => {
                let informer = self.informer::<K>();
                tracing::info!(informer = informer.name(), "a read has started an informer");
                informers.start();
                informer
            }
        };
        if !informer.has_synced() {
            self.first_list(&informer).await?;
        }
        Ok(Some(lister_of(&informer)))
    }

    async fn first_list<K: CachedKind>(&self, informer: &SharedInformer<K>) -> Result<(), ReadError> {
        let resource = K::INFO.plural;
        if !informer.has_started() && self.shared.options.uncached != Uncached::StartInformer {
            return Err(ReadError::NotStarted(resource));
        }
        let after = self.shared.options.sync_timeout.unwrap_or(Duration::from_mins(2));
        if let Ok(true) = tokio::time::timeout(after, informer.synced()).await {
            return Ok(());
        }
        let cause = informer.state().last_error().map(str::to_owned);
        Err(ReadError::NotSynced { resource, after, cause })
    }
}

fn lister_of<K: CachedKind>(informer: &SharedInformer<K>) -> Lister<K> {
    let resource = GroupResource::new(K::INFO.group, K::INFO.plural);
    informer.lister(resource).with_namespaced(K::INFO.namespaced)
}

/// Whether it is one namespace, and its name.
fn one_namespace<W: Within>(within: W) -> (bool, client_rs_machinery::Str) {
    (<W::Reach as Reach>::ONE_NAMESPACE, within.into_namespace())
}
