//! The factories of informers.

use std::collections::BTreeMap;

use client_rs_cache::{FactoryOptions, InformerFactory, InformerState, SharedInformer};
use client_rs_client::RestClient;
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{GroupVersionResource, Resource, Unstructured, verbs};

use crate::{ResourceInformer, RestListWatch};

/// The informers of a process: one per resource, however often it is asked for.
///
/// With the trait `BuiltInInformers` of `client-rs-kubernetes` every built-in resource has an accessor:
/// `factory.apps().v1().deployments()`. A cheap handle; clones are the same factory. Dropping the last one, and the last [`ResourceInformer`] of it, stops its informers without waiting.
///
/// [`FactoryOptions`] say what its informers have in common: the namespaces, selectors, transforms, resync periods.
#[derive(Clone, Debug)]
pub struct SharedInformerFactory {
    rest: RestClient,
    factory: InformerFactory,
}

impl SharedInformerFactory {
    /// The informer and the lister of a type.
    pub fn of<K>(&self) -> ResourceInformer<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        let source = RestListWatch::new(self.rest.clone());
        ResourceInformer::typed(&self.factory, source, K::INFO.namespaced)
    }

    /// The informer of a type, built-in or not.
    pub fn informer_for<K>(&self) -> SharedInformer<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        self.of().informer()
    }
}

/// Informers of resources whose types are not known when compiling; their objects are [`Unstructured`].
///
/// One informer a resource. A cheap handle; clones are the same factory. Dropping the last one stops its informers without
/// waiting.
#[derive(Clone, Debug)]
pub struct DynamicSharedInformerFactory {
    rest: RestClient,
    factory: InformerFactory,
}

impl DynamicSharedInformerFactory {
    /// The informer and the lister of a resource, in the factory's namespaces.
    pub fn for_resource(&self, resource: GroupVersionResource) -> ResourceInformer<Unstructured> {
        ResourceInformer::named(&self.factory, RestListWatch::dynamic(self.rest.clone(), resource), true)
    }

    /// The informer and the lister of a resource whose objects have no namespace: the factory's namespaces say nothing of
    /// them.
    pub fn for_cluster_resource(&self, resource: GroupVersionResource) -> ResourceInformer<Unstructured> {
        ResourceInformer::named(&self.factory, RestListWatch::dynamic(self.rest.clone(), resource), false)
    }
}

/// Informers of bare metadata, of any resource: a fraction of the memory for whoever needs no more than names, labels,
/// owners.
///
/// One informer a resource. A cheap handle; clones are the same factory. Dropping the last one stops its informers without
/// waiting.
#[derive(Clone, Debug)]
pub struct MetadataSharedInformerFactory {
    rest: RestClient,
    factory: InformerFactory,
}

impl MetadataSharedInformerFactory {
    /// The informer and the lister of a resource, in the factory's namespaces.
    pub fn for_resource(&self, resource: GroupVersionResource) -> ResourceInformer<PartialObjectMetadata> {
        ResourceInformer::named(&self.factory, RestListWatch::metadata(self.rest.clone(), resource), true)
    }

    /// The informer and the lister of a resource whose objects have no namespace: the factory's namespaces say nothing of
    /// them.
    pub fn for_cluster_resource(
        &self,
        resource: GroupVersionResource,
    ) -> ResourceInformer<PartialObjectMetadata> {
        ResourceInformer::named(&self.factory, RestListWatch::metadata(self.rest.clone(), resource), false)
    }
}

macro_rules! factory {
    ($($name:ident),*) => {$(
        impl $name {
            /// A factory without informers, over a client: a [`RestClient`], or one that is made of it.
            pub fn new(client: impl Into<RestClient>) -> Self {
                Self::with_options(client, FactoryOptions::default())
            }

            /// As [`new`](Self::new), with options.
            pub fn with_options(client: impl Into<RestClient>, options: FactoryOptions) -> Self {
                Self { rest: client.into(), factory: InformerFactory::with_options(options) }
            }

            /// Starts the informers that were asked for and are not started yet, on the current runtime. To be called
            /// again after more were asked for; does nothing once the factory is shut down.
            pub fn start(&self) {
                self.factory.start();
            }

            /// Waits until every started informer has synced: for each its name and whether it has. Ends early, with
            /// what there is, when the factory is shut down.
            pub async fn wait_for_cache_sync(&self) -> BTreeMap<String, bool> {
                self.factory.wait_for_cache_sync().await
            }

            /// Stops all informers and waits until each has ended; no task of theirs is left then.
            pub async fn shutdown(&self) {
                self.factory.shutdown().await;
            }

            /// How all informers are doing, in the order in which they were first asked for.
            pub fn state(&self) -> Vec<InformerState> {
                self.factory.state()
            }

            /// The informers themselves, for those that are made by hand.
            pub fn informers(&self) -> &InformerFactory {
                &self.factory
            }
        }

        impl From<&$name> for InformerFactory {
            fn from(factory: &$name) -> Self {
                factory.factory.clone()
            }
        }
    )*};
}

factory!(SharedInformerFactory, DynamicSharedInformerFactory, MetadataSharedInformerFactory);
