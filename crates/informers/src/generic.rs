//! [`GenericInformer`]: an informer by the name of its resource.

use std::fmt;
use std::sync::Arc;

use client_rs_cache::{AnyInformer, EventHandler, HandlerOptions, InformerError, Registration};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::{ApiError, GroupVersionResource, Object, ObjectKey};

use crate::SharedInformerFactory;
use crate::resource_informer::informer_name;

/// An informer by the name of its resource. It is the same informer as that of the type; its objects are `dyn
/// Object`.
///
/// Use it in code that handles informers of many types together, such as a debug endpoint.
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
/// use client_rs_machinery::{GroupVersionResource, Object, labels::Selector};
///
/// let factory = SharedInformerFactory::new(RestClient::fake(&[&config("settings")])?.client);
/// factory.informer_for::<ConfigMap>();
/// factory.start();
/// factory.wait_for_cache_sync().await;
///
/// let configs = factory.find(&GroupVersionResource::new("", "v1", "configmaps")).expect("it was requested");
/// assert_eq!(configs.list(&Selector::everything())[0].name(), "settings");
/// factory.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct GenericInformer {
    informer: Arc<dyn AnyInformer>,
    resource: GroupVersionResource,
}

impl SharedInformerFactory {
    /// Returns the informer of a resource by its name, if it was requested before. It is the same informer as
    /// that of the type.
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
    /// # use client_rs_machinery::GroupVersionResource;
    /// let factory = SharedInformerFactory::new(RestClient::fake(&[])?.client);
    /// let resource = GroupVersionResource::new("", "v1", "configmaps");
    /// assert!(factory.find(&resource).is_none());
    /// factory.informer_for::<ConfigMap>();
    /// assert!(factory.find(&resource).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, resource: &GroupVersionResource) -> Option<GenericInformer> {
        let informer = self.informers().find(&informer_name(resource))?;
        Some(GenericInformer { informer, resource: resource.clone() })
    }
}

impl GenericInformer {
    /// Returns the informer.
    pub fn informer(&self) -> &dyn AnyInformer {
        &*self.informer
    }

    /// Returns the resource.
    pub fn resource(&self) -> &GroupVersionResource {
        &self.resource
    }

    /// Returns the cached objects of all namespaces that a selector matches, in no particular order.
    pub fn list(&self, selector: &Selector) -> Vec<Arc<dyn Object>> {
        let mut objects = self.informer.list_any();
        objects.retain(|object| selector.matches(object.meta()));
        objects
    }

    /// Returns a cached object, or an error for which [`ApiError::is_not_found`] holds; see
    /// [`Lister::get`](client_rs_cache::Lister::get).
    pub fn get(&self, key: &ObjectKey) -> Result<Arc<dyn Object>, ApiError> {
        self.informer.get_any(key, &self.resource.group_resource())
    }

    /// Adds a handler; see [`SharedInformer::add_handler`](client_rs_cache::SharedInformer::add_handler).
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
    /// use client_rs_cache::Notification;
    /// use client_rs_informers::SharedInformerFactory;
    /// use client_rs_machinery::{GroupVersionResource, Object};
    ///
    /// let factory = SharedInformerFactory::new(RestClient::fake(&[&config("settings")])?.client);
    /// factory.informer_for::<ConfigMap>();
    /// let configs = factory.find(&GroupVersionResource::new("", "v1", "configmaps")).expect("it was requested");
    /// let registration =
    ///     configs.add_handler(|change: &Notification<dyn Object>| println!("{}", change.key()))?;
    /// factory.start();
    /// assert!(registration.synced().await);
    /// factory.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_handler(&self, handler: impl EventHandler<dyn Object>) -> Result<Registration, InformerError> {
        self.add_handler_with(handler, HandlerOptions::default())
    }

    /// Adds a handler like [`add_handler`](Self::add_handler), with options.
    pub fn add_handler_with(
        &self,
        handler: impl EventHandler<dyn Object>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        self.informer.add_any_handler(Arc::new(handler), options)
    }
}

impl fmt::Debug for GenericInformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GenericInformer({})", self.informer.sync_name())
    }
}
