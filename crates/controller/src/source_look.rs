//! The live side of a source: its informer.

use std::sync::Arc;

#[cfg(feature = "recording")]
use client_rs_cache::Coverage;
use client_rs_cache::{InformerActivity, InformerState, SharedInformer};
use client_rs_machinery::{Object, ObjectKey};
use tokio::sync::watch;

use crate::enqueue::Keys;
use crate::recorder::Look;

/// An informer, and how its objects map to keys.
pub(crate) struct SourceLook<K: Object> {
    pub(crate) informer: SharedInformer<K>,
    pub(crate) keys: Arc<Keys<K>>,
}

impl<K: Object> Look for SourceLook<K> {
    fn activity(&self) -> InformerActivity {
        self.informer.activity()
    }

    fn state(&self) -> InformerState {
        self.informer.state()
    }

    fn fetches(&self) -> watch::Receiver<u64> {
        self.informer.fetches()
    }

    fn has(&self, object: &ObjectKey) -> bool {
        self.informer.indexer().get(object).is_some()
    }

    fn keys(&self, object: &ObjectKey) -> Vec<ObjectKey> {
        self.keys.of_key(object, self.informer.indexer().get(object).as_ref())
    }

    #[cfg(feature = "recording")]
    fn versions(&self) -> Vec<(String, String)> {
        let versions = self.informer.indexer().changed_versions();
        let of = |collection: client_rs_cache::Collection| {
            let part = collection.namespace.clone().map_or(Coverage::All, Coverage::Namespace);
            let of_part = versions.iter().find(|(known, _)| *known == part);
            // An informer of one namespace has one part.
            let (_, version) = of_part.or(versions.first().filter(|_| versions.len() == 1))?;
            let (resource, namespace) = (collection.resource.to_string(), collection.namespace.as_deref());
            let (labels, fields) = (&collection.label_selector, &collection.field_selector);
            Some((crate::recording::collection(&resource, namespace, labels, fields), version.to_string()))
        };
        self.informer.collections().into_iter().filter_map(of).collect()
    }
}
