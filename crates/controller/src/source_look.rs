//! The live side of a source: its informer.

use std::sync::Arc;

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
        crate::recording::named(self.informer.collection_versions()).collect()
    }
}
