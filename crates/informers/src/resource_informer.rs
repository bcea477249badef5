//! [`ResourceInformer`]: the informer of one resource, as a factory has it.

use std::fmt;
use std::sync::Arc;

use client_rs_cache::{InformerFactory, InformerOptions, ListWatch, Lister, SharedInformer};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{GroupVersionResource, Object};

use crate::RestListWatch;

/// The informer of one resource, as a factory has it. A cheap handle: however many there are of a resource, the informer
/// is one.
pub struct ResourceInformer<K> {
    factory: InformerFactory,
    source: RestListWatch<K>,
    namespaced: bool,
    /// Is there one resource of the type, and one informer?
    by_type: bool,
}

impl<K: Object + Payload> ResourceInformer<K> {
    /// Of a resource that has a type of its own.
    pub(super) fn typed(factory: &InformerFactory, source: RestListWatch<K>, namespaced: bool) -> Self {
        Self { factory: factory.clone(), source, namespaced, by_type: true }
    }

    /// Of a resource whose type is that of others too.
    pub(super) fn named(factory: &InformerFactory, source: RestListWatch<K>, namespaced: bool) -> Self {
        Self { factory: factory.clone(), source, namespaced, by_type: false }
    }

    /// The informer. It is made when it is asked for first, and runs from the factory's next `start` on.
    pub fn informer(&self) -> SharedInformer<K> {
        if self.by_type {
            self.factory.informer_for(|options| self.make(options))
        } else {
            self.factory.for_resource(self.source.resource().clone(), |options| self.make(options))
        }
    }

    /// Reads the informer's cache. Asking for it asks for the informer.
    pub fn lister(&self) -> Lister<K> {
        self.informer().lister(self.source.resource().group_resource()).with_namespaced(self.namespaced)
    }

    fn make(&self, options: InformerOptions<K>) -> SharedInformer<K> {
        let name = options.name.clone().unwrap_or_else(|| informer_name(self.source.resource()));
        let layout = self.factory.options().layouts.of();
        let options = InformerOptions { name: Some(name), layout, ..options };
        self.factory.make(options, self.namespaced, |namespace| -> Arc<dyn ListWatch<K>> {
            let all = self.source.clone();
            Arc::new(match namespace {
                Some(namespace) => all.namespace(namespace),
                None => all,
            })
        })
    }
}

/// `pods.v1`, `deployments.v1.apps`: as kubectl takes it.
pub(super) fn informer_name(resource: &GroupVersionResource) -> String {
    let GroupVersionResource { group, version, resource } = resource;
    let dot = if group.is_empty() { "" } else { "." };
    format!("{resource}.{version}{dot}{group}")
}

impl<K> Clone for ResourceInformer<K> {
    fn clone(&self) -> Self {
        Self { factory: self.factory.clone(), source: self.source.clone(), ..*self }
    }
}

impl<K> fmt::Debug for ResourceInformer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResourceInformer({})", informer_name(self.source.resource()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_as_kubectl_takes_it() {
        assert_eq!(informer_name(&GroupVersionResource::new("", "v1", "pods")), "pods.v1");
        assert_eq!(
            informer_name(&GroupVersionResource::new("apps", "v1", "deployments")),
            "deployments.v1.apps"
        );
    }
}
