//! Handles on resources that are known only at run time.

use std::sync::Arc;

use client_rs_machinery::{GroupVersionKind, GroupVersionResource, Object};
use client_rs_transport::Config;

use super::handle::DynamicApi;
use super::place::Place;
use crate::discovery::{DeferredRestMapper, DiscoveryClient, MapError, MemoryCache, RestMapping};
use crate::{Error, RestClient};

/// Returns handles on any resource, built-in or custom, by name. It is the counterpart of client-go's dynamic client.
///
/// Use it for tools that work with any kind, such as `kubectl apply`, and for custom resources without a Rust type. If there is a
/// type, [`Api`](crate::Api) is faster and checks more.
///
/// - [`resource`](Self::resource) trusts the caller and sends no extra request.
/// - [`find`](Self::find), [`of_kind`](Self::of_kind) and [`of_object`](Self::of_object) look up the resource by discovery. Such a
///   handle knows the kind and its scope, so that a missing or superfluous namespace is an error before anything is sent.
///
/// Clones are cheap. They share connections, the rate limit and the discovered resources. Nothing is sent before a request is
/// awaited, and dropping its future cancels it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::DynamicClient;
/// use client_rs_machinery::GroupVersionResource;
///
/// # let server = Canned::new().on("GET /apis/example.com/v1/namespaces/shop/widgets/w",
/// #     r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 3}}"#);
/// # let rest = server.client();
/// let client = DynamicClient::from_rest(rest);
/// let widgets = client.resource(GroupVersionResource::new("example.com", "v1", "widgets")).namespace("shop");
/// let widget = widgets.get("w").await?;
/// assert_eq!(widget.nested_i64(&["spec", "size"])?, Some(3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DynamicClient {
    rest: RestClient,
    mapper: DeferredRestMapper,
}

impl DynamicClient {
    /// Connects to the server of a config, with its user and its limits.
    ///
    /// ```
    /// use client_rs_client::DynamicClient;
    /// use client_rs_transport::Config;
    ///
    /// let config = Config::new("http://localhost:8080".parse()?);
    /// let client = DynamicClient::from_config(&config)?;
    /// assert_eq!(client.rest().base_path(), "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the credentials or the certificates of the config can't be used. No request is sent.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        RestClient::from_config(config).map(Self::from_rest)
    }

    /// Uses an existing client, with a new mapper. The mapper runs discovery at the first lookup.
    pub fn from_rest(rest: RestClient) -> Self {
        let discovery = DiscoveryClient::from_rest(rest.clone());
        let cache = Arc::new(MemoryCache::new(Arc::new(discovery)));
        Self { rest, mapper: DeferredRestMapper::new(cache) }
    }

    /// Uses this mapper for lookups instead of its own: to share it with other clients, or to use a cache on disk.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use client_rs_client::DynamicClient;
    /// use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
    ///
    /// # let rest = client_rs_client::testing::Canned::new().client();
    /// let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(rest.clone())));
    /// let mapper = DeferredRestMapper::new(Arc::new(cache));
    /// let client = DynamicClient::from_rest(rest).with_mapper(mapper.clone());
    /// assert_eq!(format!("{:?}", client.mapper()), format!("{mapper:?}"));
    /// ```
    #[must_use]
    pub fn with_mapper(self, mapper: DeferredRestMapper) -> Self {
        Self { mapper, ..self }
    }

    /// The client that sends the requests.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// The mapper that looks up names.
    pub fn mapper(&self) -> &DeferredRestMapper {
        &self.mapper
    }

    /// Returns a handle on a resource, without a lookup. It reaches the cluster, or all namespaces until
    /// [`namespace`](DynamicApi::namespace) selects one.
    ///
    /// ```
    /// # use client_rs_client::{DynamicClient, Verb, testing::Canned};
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// # let client = DynamicClient::from_rest(Canned::new().client());
    /// let jobs = client.resource(GroupVersionResource::new("batch", "v1", "jobs"));
    /// assert_eq!(jobs.request(Verb::Get).path_and_query("").unwrap(), "/apis/batch/v1/jobs");
    /// assert_eq!(jobs.kind(), None);
    /// ```
    pub fn resource(&self, resource: GroupVersionResource) -> DynamicApi {
        DynamicApi::new(self.rest.clone(), Place::of(resource))
    }

    /// Returns a handle on a resource that a mapper found. The handle knows its kind and its scope.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # let server = Canned::new().with_discovery();
    /// # let client = DynamicClient::from_rest(server.client());
    /// let mapping = client.mapper().find("nodes").await?;
    /// let error = client.mapped(&mapping).namespace("shop").get("n1").await.unwrap_err();
    /// assert!(error.to_string().contains("nodes are cluster-scoped"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn mapped(&self, mapping: &RestMapping) -> DynamicApi {
        DynamicApi::new(self.rest.clone(), Place::mapped(mapping))
    }

    /// Finds a resource by the text that a user types: `deploy`, `deployments.apps`, `Deployment.v1.apps`. See
    /// [`RestMapper::find`](crate::discovery::RestMapper::find) for the rules.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # let server = Canned::new().with_discovery();
    /// let client = DynamicClient::from_rest(server.client());
    /// let maps = client.find("cm").await?;
    /// assert_eq!(maps.kind().unwrap().kind, "ConfigMap");
    /// assert!(client.find("unicorns").await.unwrap_err().is_no_match());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`MapError`] if no resource matches, if several do, or if discovery fails.
    pub async fn find(&self, text: &str) -> Result<DynamicApi, MapError> {
        Ok(self.mapped(&*self.mapper.find(text).await?))
    }

    /// Finds the resource of a kind.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # let server = Canned::new().with_discovery();
    /// # let client = DynamicClient::from_rest(server.client());
    /// use client_rs_machinery::GroupVersionKind;
    ///
    /// let kind = GroupVersionKind::new("apps", "v1", "Deployment");
    /// assert_eq!(client.of_kind(&kind).await?.resource().resource, "deployments");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn of_kind(&self, kind: &GroupVersionKind) -> Result<DynamicApi, MapError> {
        Ok(self.mapped(&*self.mapper.mapping_of(kind).await?))
    }

    /// Finds the resource of an object, in the namespace of the object. `default_namespace` is used if the kind is namespaced and the
    /// object has no namespace.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # let server = Canned::new().with_discovery().echo("POST /api/v1/namespaces/default/pods");
    /// # let client = DynamicClient::from_rest(server.client());
    /// use client_rs_machinery::Unstructured;
    ///
    /// let pod = Unstructured::new("v1", "Pod", "web");
    /// let created = client.of_object(&pod, "default").await?.create(pod).await?;
    /// assert_eq!(created.name(), "web");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn of_object(
        &self,
        object: &dyn Object,
        default_namespace: &str,
    ) -> Result<DynamicApi, MapError> {
        let kind = GroupVersionKind::from_api_version(object.api_version(), object.kind());
        let mapping = self.mapper.mapping_of(&kind).await?;
        let api = self.mapped(&mapping);
        // A namespace of a cluster-scoped object is kept, so that the request fails with the reason.
        let namespace = match object.namespace() {
            "" if mapping.namespaced => default_namespace,
            namespace => namespace,
        };
        Ok(if namespace.is_empty() && !mapping.namespaced { api } else { api.namespace(namespace) })
    }
}

impl From<RestClient> for DynamicClient {
    fn from(rest: RestClient) -> Self {
        Self::from_rest(rest)
    }
}

impl From<DynamicClient> for RestClient {
    fn from(client: DynamicClient) -> Self {
        client.rest
    }
}

impl From<&DynamicClient> for RestClient {
    fn from(client: &DynamicClient) -> Self {
        client.rest.clone()
    }
}
