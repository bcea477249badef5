//! The factories of informers.

use std::collections::BTreeMap;

use client_rs_cache::{FactoryOptions, InformerFactory, InformerState, SharedInformer};
use client_rs_client::RestClient;
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{GroupVersionResource, Resource, Unstructured, verbs};

use crate::{ResourceInformer, RestListWatch};

/// The informers of a program: one per resource, for any number of requests.
///
/// Use it for resources with a Rust type. With the trait `BuiltInInformers` of `client-rs-kubernetes` every
/// built-in resource has an accessor: `factory.apps().v1().deployments()`. A controller gets its informers from
/// its manager instead.
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
/// use client_rs_cache::FactoryOptions;
/// use client_rs_informers::SharedInformerFactory;
///
/// let rest = RestClient::fake(&[&config("settings")])?.client;
/// let options = FactoryOptions::default().with_namespaces(["shop"]);
/// let factory = SharedInformerFactory::with_options(rest, options);
/// let configs = factory.of::<ConfigMap>();
/// let lister = configs.lister();
/// factory.start();
/// factory.wait_for_cache_sync().await;
/// assert!(lister.namespace("shop").get("settings").is_ok());
/// factory.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// - A cheap handle; clones are the same factory.
/// - [`FactoryOptions`] has the common options of its informers: namespaces, selectors, transforms, resync
///   periods.
/// - **Errors** of lists and watches do not stop an informer: it retries. [`state`](Self::state) shows the last
///   error.
/// - **Cancellation**: [`shutdown`](Self::shutdown) stops the informers and waits. Dropping the last handle,
///   and the last [`ResourceInformer`] of the factory, stops them without waiting.
#[derive(Clone, Debug)]
pub struct SharedInformerFactory {
    rest: RestClient,
    factory: InformerFactory,
}

impl SharedInformerFactory {
    /// Returns the informer and the lister of a type.
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
    /// # use client_rs_informers::SharedInformerFactory;
    /// let factory = SharedInformerFactory::new(RestClient::fake(&[])?.client);
    /// let configs = factory.of::<ConfigMap>();
    /// assert_eq!(configs.informer().name(), "configmaps.v1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<K>(&self) -> ResourceInformer<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        let source = RestListWatch::new(self.rest.clone());
        ResourceInformer::typed(&self.factory, source, K::INFO.namespaced)
    }

    /// Returns the informer of a type. The first request makes it; [`start`](Self::start) starts it.
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
    /// # use client_rs_informers::SharedInformerFactory;
    /// let factory = SharedInformerFactory::new(RestClient::fake(&[&config("settings")])?.client);
    /// let informer = factory.informer_for::<ConfigMap>();
    /// factory.start();
    /// assert!(informer.synced().await);
    /// assert_eq!(informer.indexer().len(), 1);
    /// factory.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn informer_for<K>(&self) -> SharedInformer<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        self.of().informer()
    }

    /// Removes the informer of a type: stops it, and waits until it has ended. Returns whether there was one. See
    /// [`InformerFactory::remove`].
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::fake::FakeClient;
    /// # use client_rs_client::RestClient;
    /// # use client_rs_informers::SharedInformerFactory;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let factory = SharedInformerFactory::new(RestClient::fake(&[])?.client);
    /// let informer = factory.informer_for::<ConfigMap>();
    /// factory.start();
    /// assert!(factory.remove::<ConfigMap>().await);
    /// assert!(informer.is_stopped());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn remove<K: Resource>(&self) -> bool {
        self.factory.remove::<K>().await
    }

    /// Returns the client of the informers.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }
}

/// Informers of resources whose types are not known at compile time; their objects are [`Unstructured`].
///
/// Use it for tools that handle any resource. Dynamic objects take more memory than typed ones; if the metadata
/// is enough, use [`MetadataSharedInformerFactory`].
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
/// use client_rs_informers::DynamicSharedInformerFactory;
/// use client_rs_machinery::GroupVersionResource;
///
/// let rest = RestClient::fake(&[&config("settings")])?.client;
/// let factory = DynamicSharedInformerFactory::new(rest);
/// let configs = factory.for_resource(GroupVersionResource::new("", "v1", "configmaps"));
/// let lister = configs.lister();
/// factory.start();
/// factory.wait_for_cache_sync().await;
/// assert!(lister.namespace("shop").get("settings").is_ok());
/// factory.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// One informer per resource. A cheap handle; clones are the same factory. Dropping the last one stops its
/// informers without waiting.
#[derive(Clone, Debug)]
pub struct DynamicSharedInformerFactory {
    rest: RestClient,
    factory: InformerFactory,
}

impl DynamicSharedInformerFactory {
    /// Returns the informer and the lister of a namespaced resource, in the namespaces of the factory.
    pub fn for_resource(&self, resource: GroupVersionResource) -> ResourceInformer<Unstructured> {
        ResourceInformer::named(&self.factory, RestListWatch::dynamic(self.rest.clone(), resource), true)
    }

    /// Returns the informer and the lister of a cluster-scoped resource. The namespaces of the factory do not
    /// apply.
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
    /// # use client_rs_informers::DynamicSharedInformerFactory;
    /// # use client_rs_machinery::GroupVersionResource;
    /// let factory = DynamicSharedInformerFactory::new(RestClient::fake(&[])?.client);
    /// let nodes = factory.for_cluster_resource(GroupVersionResource::new("", "v1", "nodes"));
    /// assert_eq!(nodes.informer().name(), "nodes.v1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_cluster_resource(&self, resource: GroupVersionResource) -> ResourceInformer<Unstructured> {
        ResourceInformer::named(&self.factory, RestListWatch::dynamic(self.rest.clone(), resource), false)
    }
}

/// Informers of the metadata of any resource: names, labels, annotations and owners, in a fraction of the
/// memory.
///
/// Use it for controllers that only read metadata, such as garbage collectors and labellers. The server leaves
/// out the rest of each object if it can.
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
/// use client_rs_informers::MetadataSharedInformerFactory;
/// use client_rs_machinery::{GroupVersionResource, Object, ObjectKey};
///
/// let rest = RestClient::fake(&[&config("settings")])?.client;
/// let factory = MetadataSharedInformerFactory::new(rest);
/// let configs = factory.for_resource(GroupVersionResource::new("", "v1", "configmaps"));
/// let lister = configs.lister();
/// factory.start();
/// factory.wait_for_cache_sync().await;
/// assert_eq!(lister.get(&ObjectKey::new("shop", "settings"))?.name(), "settings");
/// factory.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// One informer per resource. A cheap handle; clones are the same factory. Dropping the last one stops its
/// informers without waiting.
#[derive(Clone, Debug)]
pub struct MetadataSharedInformerFactory {
    rest: RestClient,
    factory: InformerFactory,
}

impl MetadataSharedInformerFactory {
    /// Returns the informer and the lister of a namespaced resource, in the namespaces of the factory.
    pub fn for_resource(&self, resource: GroupVersionResource) -> ResourceInformer<PartialObjectMetadata> {
        ResourceInformer::named(&self.factory, RestListWatch::metadata(self.rest.clone(), resource), true)
    }

    /// Returns the informer and the lister of a cluster-scoped resource. The namespaces of the factory do not apply.
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
            /// Makes a factory without informers over a client: a [`RestClient`], or a client that is made of one.
            pub fn new(client: impl Into<RestClient>) -> Self {
                Self::with_options(client, FactoryOptions::default())
            }

            /// Makes a factory like [`new`](Self::new), with options.
            pub fn with_options(client: impl Into<RestClient>, options: FactoryOptions) -> Self {
                Self { rest: client.into(), factory: InformerFactory::with_options(options) }
            }

            /// Starts the requested informers that have not started yet, on the current runtime. Call it again after more
            /// were requested. Does nothing once the factory is shut down.
            pub fn start(&self) {
                self.factory.start();
            }

            /// Waits until every started informer has synced. Returns for each name whether it has. Returns early if the
            /// factory is shut down.
            pub async fn wait_for_cache_sync(&self) -> BTreeMap<String, bool> {
                self.factory.wait_for_cache_sync().await
            }

            /// Stops all informers and waits until each has ended. None of their tasks is left then.
            pub async fn shutdown(&self) {
                self.factory.shutdown().await;
            }

            /// Returns the states of all informers, in the order of their first requests.
            pub fn state(&self) -> Vec<InformerState> {
                self.factory.state()
            }

            /// Returns the factory below, to add informers of your own.
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
