//! [`ResourceInformer`]: the informer of one resource in a factory.

use std::fmt;
use std::sync::Arc;

use client_rs_cache::{InformerFactory, InformerOptions, ListWatch, Lister, SharedInformer};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{GroupVersionResource, Object};

use crate::RestListWatch;

/// The informer of one resource in a factory, and its lister.
///
/// A cheap handle: any number of handles of a resource share one informer. Requesting
/// [`informer`](Self::informer) or [`lister`](Self::lister) registers the informer; the next `start` of the
/// factory starts it.
///
///
/// ```
/// # use client_rs_api::core::v1::ConfigMap;
/// # use client_rs_apiserver::fake::FakeClient;
/// # use client_rs_client::RestClient;
/// # fn config(name: &str) -> ConfigMap {
/// #     let mut config = ConfigMap::EMPTY;
/// #     config.metadata.name = name.into();
/// #     config.metadata.namespace = "shop".into();
/// #     config
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_informers::SharedInformerFactory;
/// use client_rs_machinery::ObjectKey;
///
/// let factory = SharedInformerFactory::new(RestClient::fake(&[&config("settings")])?.client);
/// let configs = factory.of::<ConfigMap>();
/// let (informer, lister) = (configs.informer(), configs.lister());
/// factory.start();
/// informer.synced().await;
/// assert!(lister.get(&ObjectKey::new("shop", "settings")).is_ok());
/// assert!(lister.get(&ObjectKey::new("shop", "other")).unwrap_err().is_not_found());
/// factory.shutdown().await;
/// # Ok(())
/// # }
/// ```
pub struct ResourceInformer<K> {
    factory: InformerFactory,
    source: RestListWatch<K>,
    namespaced: bool,
    /// Whether the type has one resource, and so one informer.
    by_type: bool,
}

impl<K: Object + Payload> ResourceInformer<K> {
    /// Makes the informer of a resource with a type of its own.
    pub(super) fn typed(factory: &InformerFactory, source: RestListWatch<K>, namespaced: bool) -> Self {
        Self { factory: factory.clone(), source, namespaced, by_type: true }
    }

    /// Makes the informer of a resource whose type serves other resources too.
    pub(super) fn named(factory: &InformerFactory, source: RestListWatch<K>, namespaced: bool) -> Self {
        Self { factory: factory.clone(), source, namespaced, by_type: false }
    }

    /// Returns the informer. The first request makes it, and the next `start` of the factory starts it.
    pub fn informer(&self) -> SharedInformer<K> {
        if self.by_type {
            self.factory.informer_for(|options| self.make(options))
        } else {
            self.factory.for_resource(self.source.resource().clone(), |options| self.make(options))
        }
    }

    /// Returns a reader of the cache. It also requests the informer.
    pub fn lister(&self) -> Lister<K> {
        self.informer().lister(self.source.resource().group_resource()).with_namespaced(self.namespaced)
    }

    fn make(&self, options: InformerOptions<K>) -> SharedInformer<K> {
        let name = options.name.clone().unwrap_or_else(|| informer_name(self.source.resource()));
        let layout = self.factory.options().layout();
        let options = options.with_name(name).with_layout(layout);
        self.factory.make(options, self.namespaced, |namespace| -> Arc<dyn ListWatch<K>> {
            let all = self.source.clone();
            Arc::new(match namespace {
                Some(namespace) => all.namespace(namespace),
                None => all,
            })
        })
    }
}

/// Returns the name of a resource in the form of kubectl: `pods.v1`, `deployments.v1.apps`.
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
    fn names_have_the_form_of_kubectl() {
        assert_eq!(informer_name(&GroupVersionResource::new("", "v1", "pods")), "pods.v1");
        assert_eq!(
            informer_name(&GroupVersionResource::new("apps", "v1", "deployments")),
            "deployments.v1.apps"
        );
    }
}
