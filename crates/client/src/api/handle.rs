//! The typed handle.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use client_rs_machinery::meta::v1::{
    ApplyOptions, CreateOptions, DeleteOptions, GetOptions, ListOptions, PatchOptions, UpdateOptions,
};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::subresource::{self as sub, HasSubresource, Subresource};
use client_rs_machinery::wire::{Message, Payload};
use client_rs_machinery::{Cluster, Namespaced, Object, Resource, Str, verbs};

use super::apply::{self, ApplyConfiguration};
use super::delete_response::DeleteResponse;
use super::log::{self, Log};
use super::options::{self, DeleteCollectionOptions};
use super::reach::{AllNamespaces, ByName, HasNamespaces, OfCluster, Reach, Within};
use super::request::{self, ApiRequest};
use super::{Pages, SubresourceApi};
use crate::{
    BodySource, ListStream, Listed, PathPart, RawResponse, Request, RequestError, RestClient, Verb, Watch,
};

/// A handle on the objects of kind `K` in the scope `S`.
///
/// Use it for every kind that has a Rust type. For a kind that is known only at run time, use
/// [`DynamicClient`](crate::DynamicClient). To read the same objects again and again, use an informer: it answers from memory.
///
/// `S` defaults to the scope of the kind: `Api<Node>` reaches the cluster, `Api<Pod>` one namespace. `Api<Pod, AllNamespaces>`
/// reaches all namespaces. The scope is a type because it decides which methods exist.
///
/// - Clones are cheap: two reference counts. They share the [`RestClient`], its connections and its rate limit.
/// - The handle keeps no state between requests, and caches nothing.
/// - Nothing is sent before a request is awaited. Dropping the future cancels the request; the server may have acted on it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_client::Api;
/// # use client_rs_client::testing::Canned;
/// # let server = Canned::new()
/// #     .on("GET /api/v1/namespaces/shop/configmaps/prices", r#"{"metadata": {"name": "prices"}, "data": {"tea": "3"}}"#)
/// #     .echo("PUT /api/v1/namespaces/shop/configmaps/prices");
/// # let rest = server.client();
///
/// let maps = Api::<ConfigMap>::namespaced(&rest, "shop");
/// let mut prices = maps.get("prices").await?;
/// prices.data.insert("coffee", "4".into());
/// let prices = maps.update(prices).await?;
/// assert_eq!(prices.data.get("coffee").unwrap(), "4");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// A request that fails returns [`Error`](crate::Error). An empty name or namespace, or one that would change the path of
/// the URL, is [`Error::Request`](crate::Error::Request), and nothing is sent. A response with an error status is
/// [`Error::Api`](crate::Error::Api); predicates such as [`is_not_found`](crate::Error::is_not_found) tell the reasons apart.
pub struct Api<K: Resource, S = <K as Resource>::Scope> {
    rest: RestClient,
    /// Empty unless `S` is one namespace.
    namespace: Str,
    of: PhantomData<fn() -> (K, S)>,
}

impl<K: Resource> Api<K, Cluster> {
    /// Returns a handle on a cluster-scoped kind. A namespaced kind does not compile here.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Namespace;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/shop", r#"{"metadata": {"name": "shop"}}"#);
    /// let namespaces = Api::<Namespace>::cluster(&server.client());
    /// assert_eq!(namespaces.get("shop").await?.metadata.name, "shop");
    /// # Ok(())
    /// # }
    /// ```
    pub fn cluster(rest: &RestClient) -> Self
    where
        K::Scope: OfCluster,
    {
        Self::make(rest, Str::EMPTY)
    }
}

impl<K: Resource> Api<K, Namespaced> {
    /// Returns a handle on the objects in one namespace. A cluster-scoped kind does not compile here.
    ///
    /// An empty namespace does not mean all namespaces: requests through such a handle fail before anything is sent.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Secret;
    /// # use client_rs_client::{Api, Error, testing::Canned};
    /// # let server = Canned::new();
    /// let secrets = Api::<Secret>::namespaced(&server.client(), "");
    /// let error = secrets.list().await.unwrap_err();
    /// assert!(matches!(error, Error::Request(_)));
    /// assert!(server.calls().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn namespaced(rest: &RestClient, namespace: impl Into<Str>) -> Self
    where
        K::Scope: HasNamespaces,
    {
        Self::make(rest, namespace.into())
    }
}

impl<K: Resource> Api<K>
where
    K::Scope: Reach,
{
    /// Returns a handle on the objects next to this one: those in its namespace, or in the cluster if the kind is cluster-scoped.
    ///
    /// Use it in code that is generic over kinds of both scopes.
    ///
    /// ```
    /// # use client_rs_api::core::v1::{Node, Pod};
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let rest = Canned::new().client();
    /// # let mut pod = Pod::default();
    /// pod.metadata.namespace = "shop".into();
    /// assert_eq!(Api::of(&rest, &pod).namespace_name(), "shop");
    /// assert_eq!(Api::of(&rest, &Node::default()).namespace_name(), "");
    /// ```
    pub fn of(rest: &RestClient, object: &K) -> Self {
        Self::in_scope(rest, object.namespace())
    }

    /// Returns a handle on the objects of a namespace, or of the cluster if the kind is cluster-scoped; the namespace is ignored then.
    ///
    /// An empty namespace of a namespaced kind is an error of the handle's requests.
    pub fn in_scope(rest: &RestClient, namespace: impl Into<Str>) -> Self {
        let namespaced = <K::Scope as Reach>::ONE_NAMESPACE;
        Self::make(rest, if namespaced { namespace.into() } else { Str::EMPTY })
    }
}

impl<K: Resource> Api<K, AllNamespaces> {
    /// Returns a handle on the objects in all namespaces: to list and to watch.
    ///
    /// A name alone does not identify an object there, so `get`, `create` and the other methods for one object do not exist.
    /// [`namespace`](Self::namespace) narrows the handle.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/pods", r#"{"items": [{"metadata": {"name": "web", "namespace": "shop"}}]}"#);
    /// let everywhere = Api::<Pod, _>::all(&server.client());
    /// assert_eq!(everywhere.list().await?.items[0].metadata.namespace, "shop");
    /// # Ok(())
    /// # }
    /// ```
    pub fn all(rest: &RestClient) -> Self
    where
        K::Scope: HasNamespaces,
    {
        Self::make(rest, Str::EMPTY)
    }
}

impl<K: Resource, S: Reach> Api<K, S> {
    /// Returns a handle on one namespace, or on [`AllNamespaces`]: the type of `within` decides. For code that is generic over both.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{AllNamespaces, Api, Verb, testing::Canned};
    /// # let rest = Canned::new().client();
    /// let one = Api::<Pod, _>::within(&rest, "shop").request(Verb::Get);
    /// assert_eq!(one.path_and_query("").unwrap(), "/api/v1/namespaces/shop/pods");
    /// let all = Api::<Pod, _>::within(&rest, AllNamespaces).request(Verb::Get);
    /// assert_eq!(all.path_and_query("").unwrap(), "/api/v1/pods");
    /// ```
    pub fn within<W>(rest: &RestClient, within: W) -> Self
    where
        W: Within<Reach = S>,
        K::Scope: HasNamespaces,
    {
        Self::make(rest, within.into_namespace())
    }

    /// Returns a handle on the same kind in another namespace.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let rest = Canned::new().client();
    /// let shop = Api::<Service>::namespaced(&rest, "shop");
    /// assert_eq!(shop.namespace("staging").namespace_name(), "staging");
    /// ```
    pub fn namespace(&self, namespace: impl Into<Str>) -> Api<K, Namespaced>
    where
        K::Scope: HasNamespaces,
    {
        Api::make(&self.rest, namespace.into())
    }

    /// Returns a handle on the same kind in all namespaces.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let rest = Canned::new().client();
    /// let everywhere = Api::<Service>::namespaced(&rest, "shop").all_namespaces();
    /// assert_eq!(everywhere.list().into_request().path_and_query("").unwrap(), "/api/v1/services");
    /// ```
    pub fn all_namespaces(&self) -> Api<K, AllNamespaces>
    where
        K::Scope: HasNamespaces,
    {
        Api::make(&self.rest, Str::EMPTY)
    }

    /// The client that sends the requests of this handle.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// Returns a request on the collection as plain data: for paths, parameters and headers that no method covers.
    ///
    /// Send it with [`rest`](Self::rest).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, Verb, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/nodes?pretty=true", "{}");
    /// let nodes = Api::<Node>::cluster(&server.client());
    /// let request = nodes.request(Verb::Get).param("pretty", "true");
    /// let response = nodes.rest().send_raw(request).await?;
    /// assert_eq!(response.status, 200);
    /// # Ok(())
    /// # }
    /// ```
    pub fn request(&self, verb: Verb) -> Request {
        self.place(Request::new(verb))
    }

    /// The namespace. Empty for a handle on the cluster or on all namespaces.
    pub fn namespace_name(&self) -> &str {
        &self.namespace
    }

    fn make(rest: &RestClient, namespace: Str) -> Self {
        Self { rest: rest.clone(), namespace, of: PhantomData }
    }

    pub(crate) fn place(&self, request: Request) -> Request {
        let request = request.of::<K>();
        match (S::ONE_NAMESPACE, self.namespace.is_empty()) {
            (false, _) => request,
            // A path without a namespace would mean all namespaces.
            (true, true) => request.refuse(RequestError::Empty(PathPart::Namespace)),
            (true, false) => request.namespace(&self.namespace),
        }
    }

    pub(super) fn apply_request<T: Payload>(
        &self,
        request: Request,
        manager: Str,
        read: fn(RestClient, Request, crate::DecodeOptions) -> super::Reply<T>,
    ) -> ApiRequest<T, ApplyOptions> {
        let request = if manager.is_empty() { request.refuse(RequestError::NoFieldManager) } else { request };
        let mut request = self.ask::<T, ApplyOptions>(request, request::params, read);
        request.options.field_manager = manager;
        request
    }

    pub(crate) fn ask<T, O: Default>(
        &self,
        request: Request,
        encode: fn(Request, &O) -> Request,
        read: fn(RestClient, Request, crate::DecodeOptions) -> super::Reply<T>,
    ) -> ApiRequest<T, O> {
        ApiRequest::new(self.rest.clone(), request, encode, read)
    }
}

/// Reads.
impl<K: Resource + Payload, S: Reach> Api<K, S> {
    /// Reads the object with this name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/a/pods/web", r#"{"status": {"phase": "Running"}}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// assert_eq!(pods.get("web").await?.status.phase, "Running");
    /// match pods.get("db").await {
    ///     Ok(pod) => println!("{}", pod.status.phase),
    ///     Err(error) if error.is_not_found() => println!("no such pod"),
    ///     Err(error) => return Err(error.into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn get(&self, name: &str) -> ApiRequest<K, GetOptions>
    where
        K: verbs::Get,
        S: ByName,
    {
        self.ask(self.request(Verb::Get).name(name), request::params, request::object)
    }

    /// Reads the object with this name; `None` if it does not exist.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new()
    /// #     .on("GET /api/v1/namespaces/a/pods/web", r#"{"status": {"phase": "Running"}}"#)
    /// #     .fail("GET /api/v1/namespaces/a/pods/secret", 403, "Forbidden");
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// assert_eq!(pods.get_opt("web").await?.unwrap().status.phase, "Running");
    /// assert!(pods.get_opt("db").await?.is_none());
    /// // Any other error is an error.
    /// assert!(pods.get_opt("secret").await.unwrap_err().is_forbidden());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Any error of [`get`](Self::get) except "not found" for this object. If the resource itself is not found, because the
    /// server does not serve its API, that is an error.
    pub fn get_opt(&self, name: &str) -> ApiRequest<Option<K>, GetOptions>
    where
        K: verbs::Get,
        S: ByName,
    {
        self.ask(self.request(Verb::Get).name(name), request::params, request::optional)
    }

    /// Lists the objects, all at once. An object that does not decode fails the whole list.
    ///
    /// The result holds all objects in memory. For a large collection use [`pages`](Self::pages) or
    /// [`list_stream`](Self::list_stream). With a [`limit`](ApiRequest::limit) the result is one page; its `metadata.continue_`
    /// is the token of the next page.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on(
    /// #     "GET /api/v1/namespaces/a/pods?labelSelector=app%3Dweb",
    /// #     r#"{"metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "web-0"}}]}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let list = pods.list().label_selector("app=web").await?;
    /// assert_eq!(list.items[0].metadata.name, "web-0");
    /// assert_eq!(list.metadata.resource_version, "7");
    /// # Ok(())
    /// # }
    /// ```
    pub fn list(&self) -> ApiRequest<Listed<K>, ListOptions>
    where
        K: verbs::List,
    {
        self.ask(self.request(Verb::Get), options::list, request::list)
    }

    /// Lists the objects as they arrive. Memory holds one object at a time.
    ///
    /// A slow reader applies backpressure to the server. Dropping the stream cancels the request.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, ListItem, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/a/pods",
    /// #     r#"{"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "x"}}, {"metadata": {"name": "y"}}]}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let mut names = Vec::new();
    /// let mut stream = pods.list_stream().await?;
    /// while let Some(item) = stream.try_next().await? {
    ///     match item {
    ///         ListItem::Object(pod) => names.push(pod.metadata.name),
    ///         ListItem::Bad(bad) => eprintln!("skipped: {}", bad.error),
    ///     }
    /// }
    /// assert_eq!(names, ["x", "y"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn list_stream(&self) -> ApiRequest<ListStream<K>, ListOptions>
    where
        K: verbs::List,
    {
        self.ask(self.request(Verb::Get), options::list, request::list_stream)
    }

    /// Lists the objects page by page. Memory holds one page, on the client and on the server. See [`Pages`].
    pub fn pages(&self) -> Pages<K>
    where
        K: verbs::List,
    {
        Pages::new(self.rest.clone(), self.request(Verb::Get))
    }

    /// Watches for changes after a `resourceVersion`: usually that of a list. See [`Watch`] for order, errors and memory.
    ///
    /// This is a single watch, and every watch ends: the server closes it after some minutes. An informer restarts it, relists
    /// when the version has expired, and keeps a cache. To wait for one object to reach a state, use [`wait`](crate::wait).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/a/pods?watch=true&resourceVersion=7",
    /// #     r#"{"type": "ADDED", "object": {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "web"}}}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// use client_rs_machinery::wire::WatchEvent;
    ///
    /// let mut watch = pods.watch().resource_version("7").await?;
    /// let mut added = Vec::new();
    /// while let Some(event) = watch.next().await {
    ///     match event? {
    ///         WatchEvent::Added(pod) => added.push(pod.metadata.name),
    ///         WatchEvent::Error(status) => eprintln!("the server ended the watch: {status:?}"),
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(added, ["web"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self) -> ApiRequest<Watch<K>, ListOptions>
    where
        K: verbs::Watch,
    {
        self.ask(self.request(Verb::Get), options::watch, request::watch)
    }
}

/// Writes.
impl<K: Resource + Payload, S: ByName> Api<K, S> {
    /// Creates an object, and returns it as the server stored it: with defaults, a UID and a `resourceVersion`.
    ///
    /// Takes an owned object or a shared one (`Arc<K>`).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().echo("POST /api/v1/namespaces/a/configmaps").fail("POST /api/v1/namespaces/a/configmaps", 409, "AlreadyExists");
    /// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
    /// let mut map = ConfigMap::default();
    /// map.metadata.name = "settings".into();
    /// map.data.insert("color", "blue".into());
    /// let created = maps.create(map.clone()).await?;
    /// assert_eq!(created.data, map.data);
    /// // A second create is an error. `apply` and `create_or_update` accept an existing object.
    /// assert!(maps.create(map).await.unwrap_err().is_already_exists());
    /// # Ok(())
    /// # }
    /// ```
    pub fn create(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, CreateOptions>
    where
        K: verbs::Create,
    {
        self.ask(self.request(Verb::Post).object(object), request::params, request::created)
    }

    /// Replaces an object with the same name.
    ///
    /// If the object has a `resourceVersion`, the server compares it with the stored one. A difference is
    /// [a conflict](crate::Error::is_conflict): read the object again and repeat the change, or use
    /// [`retry_on_conflict`](Self::retry_on_conflict). Without a `resourceVersion` the update overwrites the changes of others.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().fail("PUT /api/v1/namespaces/a/configmaps/settings", 409, "Conflict");
    /// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
    /// let mut outdated = ConfigMap::default();
    /// outdated.metadata.name = "settings".into();
    /// outdated.metadata.resource_version = "41".into();
    /// assert!(maps.update(outdated).await.unwrap_err().is_conflict());
    /// # Ok(())
    /// # }
    /// ```
    pub fn update(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, UpdateOptions>
    where
        K: verbs::Update,
    {
        self.ask(self.replace(object.into()), request::params, request::written)
    }

    /// Replaces the status of an object. The server ignores all other changes.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().echo("PUT /api/v1/nodes/n1/status");
    /// # let nodes = Api::<Node>::cluster(&server.client());
    /// # let mut node = Node::default();
    /// # node.metadata.name = "n1".into();
    /// nodes.update_status(node).await?;
    /// assert_eq!(server.calls(), ["PUT /api/v1/nodes/n1/status"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn update_status(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, UpdateOptions>
    where
        K: verbs::Status,
    {
        let request = self.replace(object.into()).subresource([sub::Status::NAME]);
        self.ask(request, request::params, request::written)
    }

    /// Changes parts of an object.
    ///
    /// The [`Patch`] decides the format: JSON patch, merge patch, strategic merge patch, or server-side apply (for the last one
    /// [`apply`](Self::apply) is easier). A patch is not retried after a lost connection, because a JSON patch may not be idempotent.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("PATCH /api/v1/nodes/n1", r#"{"spec": {"unschedulable": true}}"#);
    /// # let nodes = Api::<Node>::cluster(&server.client());
    /// use client_rs_machinery::json;
    /// use client_rs_machinery::patch::Patch;
    ///
    /// let cordon = Patch::Merge(json!({"spec": {"unschedulable": true}}));
    /// assert!(nodes.patch("n1", &cordon).await?.spec.unschedulable);
    /// assert_eq!(server.received()[0].headers()["content-type"], "application/merge-patch+json");
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch(&self, name: &str, patch: &Patch) -> ApiRequest<K, PatchOptions>
    where
        K: verbs::Patch,
    {
        self.ask(self.place(Request::patch(patch)).name(name), request::params, request::object)
    }

    /// Changes parts of the status of an object. The server ignores all other changes.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::{json, patch::Patch};
    /// # let server = Canned::new().on("PATCH /api/v1/namespaces/a/pods/web/status", "{}");
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// pods.patch_status("web", &Patch::Merge(json!({"status": {"phase": "Failed"}}))).await?;
    /// assert_eq!(server.received()[0].body(), r#"{"status":{"phase":"Failed"}}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch_status(&self, name: &str, patch: &Patch) -> ApiRequest<K, PatchOptions>
    where
        K: verbs::Status,
    {
        self.status(name).patch(patch)
    }

    /// Server-side apply: declares the fields that `manager` owns, with their values. Creates the object if it does not exist.
    ///
    /// Send only the fields that you want to own. A field that was in the last apply and is missing now is removed. A field that
    /// another manager owns with another value is a conflict, and the error
    /// [names the field and the manager](client_rs_machinery::ApiError::apply_conflicts);
    /// [`force`](ApiRequest::force) takes the field over instead.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("PATCH /api/v1/namespaces/a/configmaps/settings", r#"{"data": {"color": "blue"}}"#);
    /// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
    /// use client_rs_machinery::json;
    ///
    /// let wanted = json!({"metadata": {"name": "settings"}, "data": {"color": "blue"}});
    /// let applied = maps.apply(wanted, "my-controller").force().await?;
    /// assert_eq!(applied.data.get("color").unwrap(), "blue");
    /// assert!(server.calls()[0].ends_with("?fieldManager=my-controller&force=true"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Without a name for the manager, or with a document of another kind or namespace, the request is not sent.
    pub fn apply<C: ApplyConfiguration<K>>(
        &self,
        configuration: C,
        manager: impl Into<Str>,
    ) -> ApiRequest<K, ApplyOptions>
    where
        K: verbs::Patch,
    {
        let request = self.applied(configuration.document());
        self.apply_request(request, manager.into(), request::written)
    }

    /// Server-side apply of the status. The server ignores all other fields.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::json;
    /// # let server = Canned::new().on("PATCH /api/v1/namespaces/a/pods/web/status", r#"{"status": {"message": "ready"}}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let observed = json!({"metadata": {"name": "web"}, "status": {"message": "ready"}});
    /// assert_eq!(pods.apply_status(observed, "my-controller").await?.status.message, "ready");
    /// # Ok(())
    /// # }
    /// ```
    pub fn apply_status<C: ApplyConfiguration<K>>(
        &self,
        configuration: C,
        manager: impl Into<Str>,
    ) -> ApiRequest<K, ApplyOptions>
    where
        K: verbs::Status,
    {
        let request = self.applied(configuration.document()).subresource([sub::Status::NAME]);
        self.apply_request(request, manager.into(), request::written)
    }

    /// Deletes an object. The [`DeleteResponse`] does not mean that the object is gone: see there.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("DELETE /api/v1/namespaces/a/pods/web", r#"{"metadata": {"name": "web", "deletionTimestamp": "2026-01-02T03:04:05Z"}}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// // Only this very pod, not a newer one with the same name.
    /// let response = pods.delete("web").if_uid("2f0d").await?;
    /// let pod = response.object().expect("it waits for its grace period");
    /// assert!(pod.metadata.deletion_timestamp.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete(&self, name: &str) -> ApiRequest<DeleteResponse<K>, DeleteOptions>
    where
        K: verbs::Delete,
    {
        self.ask(self.request(Verb::Delete).name(name), options::delete::<K>, request::deleted)
    }

    /// Deletes every object that the options select. Without a selector: every object in the scope of the handle.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("DELETE /api/v1/namespaces/a/pods", r#"{"kind": "PodList", "apiVersion": "v1", "items": []}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// pods.delete_collection().label_selector("job=import").await?;
    /// assert_eq!(server.calls(), ["DELETE /api/v1/namespaces/a/pods?labelSelector=job%3Dimport"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete_collection(&self) -> ApiRequest<DeleteResponse<Listed<K>>, DeleteCollectionOptions>
    where
        K: verbs::DeleteCollection,
    {
        self.ask(self.request(Verb::Delete), options::delete_collection::<K>, request::deleted_collection)
    }

    fn replace(&self, object: Arc<K>) -> Request {
        let request = self.request(Verb::Put).name(Object::name(&*object));
        request.body(BodySource::object(object))
    }

    fn applied(&self, document: &client_rs_machinery::Json) -> Request {
        match apply::of_kind::<K>(document, &self.namespace) {
            Ok((document, name)) => self.place(Request::patch(&Patch::apply(document))).name(&name),
            Err(error) => self.request(Verb::Patch).refuse(error),
        }
    }
}

/// Subresources.
impl<K: Resource, S: ByName> Api<K, S> {
    /// Returns a handle on a subresource of the object with this name. The methods below name the common ones.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, Verb, testing::Canned};
    /// use client_rs_machinery::subresource::Resize;
    ///
    /// # let rest = Canned::new().client();
    /// let resize = Api::<Pod>::namespaced(&rest, "a").subresource::<Resize>("web");
    /// assert_eq!(resize.request(Verb::Get).path_and_query("").unwrap(), "/api/v1/namespaces/a/pods/web/resize");
    /// ```
    pub fn subresource<P: Subresource>(&self, name: &str) -> SubresourceApi<K, P, S>
    where
        K: HasSubresource<P>,
    {
        SubresourceApi::new(self.clone(), name)
    }

    /// The status subresource: the observed state of an object.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Namespace;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/shop/status", r#"{"status": {"phase": "Active"}}"#);
    /// let namespaces = Api::<Namespace>::cluster(&server.client());
    /// assert_eq!(namespaces.status("shop").get().await?.status.phase, "Active");
    /// # Ok(())
    /// # }
    /// ```
    pub fn status(&self, name: &str) -> SubresourceApi<K, sub::Status, S>
    where
        K: HasSubresource<sub::Status>,
    {
        self.subresource(name)
    }

    /// The scale subresource: the current and the desired number of replicas. [`ScaleClient`](crate::ScaleClient) does the same for
    /// kinds that are known only at run time.
    pub fn scale(&self, name: &str) -> SubresourceApi<K, sub::Scale, S>
    where
        K: HasSubresource<sub::Scale>,
    {
        self.subresource(name)
    }

    /// The eviction subresource of a pod: deletes the pod, unless that violates a disruption budget. In that case the server answers
    /// [429](crate::Error::is_too_many_requests); try again later.
    pub fn eviction(&self, name: &str) -> SubresourceApi<K, sub::Eviction, S>
    where
        K: HasSubresource<sub::Eviction>,
    {
        self.subresource(name)
    }

    /// The binding subresource: assigns a pod to a node, as a scheduler does.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::{Binding, Pod};
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("POST /api/v1/namespaces/a/pods/web/binding", r#"{"kind": "Status", "apiVersion": "v1", "status": "Success"}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let mut binding = Binding::default();
    /// binding.metadata.name = "web".into();
    /// binding.target.kind = "Node".into();
    /// binding.target.name = "n1".into();
    /// let status = pods.binding("web").create(binding).await?;
    /// assert_eq!(status.status, "Success");
    /// # Ok(())
    /// # }
    /// ```
    pub fn binding(&self, name: &str) -> SubresourceApi<K, sub::Binding, S>
    where
        K: HasSubresource<sub::Binding>,
    {
        self.subresource(name)
    }

    /// The token subresource of a service account: requests a token with an audience and an expiration.
    pub fn token(&self, name: &str) -> SubresourceApi<K, sub::Token, S>
    where
        K: HasSubresource<sub::Token>,
    {
        self.subresource(name)
    }

    /// The approval subresource: approves or denies a certificate signing request.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{Api, testing::Canned};
    /// use client_rs_api::certificates::v1::{CertificateSigningRequest, CertificateSigningRequestCondition};
    ///
    /// # let server = Canned::new()
    /// #     .on("GET /apis/certificates.k8s.io/v1/certificatesigningrequests/n1", r#"{"metadata": {"name": "n1"}}"#)
    /// #     .echo("PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/n1/approval");
    /// let requests = Api::<CertificateSigningRequest>::cluster(&server.client());
    /// let mut request = requests.get("n1").await?;
    /// let approved = CertificateSigningRequestCondition {
    ///     type_: "Approved".into(),
    ///     status: "True".into(),
    ///     reason: "KnownNode".into(),
    ///     ..CertificateSigningRequestCondition::EMPTY
    /// };
    /// request.status.conditions = [approved].into();
    /// let request = requests.approval("n1").update(request).await?;
    /// assert_eq!(request.status.conditions[0].reason, "KnownNode");
    /// # Ok(())
    /// # }
    /// ```
    pub fn approval(&self, name: &str) -> SubresourceApi<K, sub::Approval, S>
    where
        K: HasSubresource<sub::Approval>,
    {
        self.subresource(name)
    }

    /// The ephemeral containers of a pod: adds containers for debugging to a running pod.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::{json, patch::Patch};
    /// # let server = Canned::new().on("PATCH /api/v1/namespaces/a/pods/web/ephemeralcontainers",
    /// #     r#"{"spec": {"ephemeralContainers": [{"name": "shell", "image": "busybox"}]}}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let shell = json!({"spec": {"ephemeralContainers": [{"name": "shell", "image": "busybox"}]}});
    /// let pod = pods.ephemeral_containers("web").patch(&Patch::Strategic(shell)).await?;
    /// assert_eq!(pod.spec.ephemeral_containers[0].name, "shell");
    /// # Ok(())
    /// # }
    /// ```
    pub fn ephemeral_containers(&self, name: &str) -> SubresourceApi<K, sub::EphemeralContainers, S>
    where
        K: HasSubresource<sub::EphemeralContainers>,
    {
        self.subresource(name)
    }

    /// The resize subresource: changes CPU and memory of a running pod.
    pub fn resize(&self, name: &str) -> SubresourceApi<K, sub::Resize, S>
    where
        K: HasSubresource<sub::Resize>,
    {
        self.subresource(name)
    }

    /// The finalize subresource: replaces the finalizers of a namespace.
    pub fn finalize(&self, name: &str) -> SubresourceApi<K, sub::Finalize, S>
    where
        K: HasSubresource<sub::Finalize>,
    {
        self.subresource(name)
    }

    /// The log of a container: all that it has written, and with [`follow`](ApiRequest::follow) also new output. See [`Log`].
    ///
    /// One request, which ends when the connection does. To follow the log of a pod across disconnects, or of several pods, see
    /// [`streams`](crate::streams).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let text = http::Response::new("starting\nlistening on :8080\n");
    /// # let server = Canned::new().respond("GET /api/v1/namespaces/a/pods/web/log", text);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let mut lines = pods.log("web").container("app").tail_lines(100).await?.lines();
    /// let mut last = None;
    /// while let Some(line) = lines.try_next().await? {
    ///     last = Some(line);
    /// }
    /// assert_eq!(last.unwrap(), "listening on :8080");
    /// # Ok(())
    /// # }
    /// ```
    pub fn log(&self, name: &str) -> ApiRequest<Log, <K as HasSubresource<sub::Log>>::Payload>
    where
        K: HasSubresource<sub::Log>,
        <K as HasSubresource<sub::Log>>::Payload: Message,
    {
        let request = self.request(Verb::Get).name(name).subresource([sub::Log::NAME]);
        self.ask(request, request::params, log::read)
    }

    /// Sends one HTTP request to a pod, service or node through the API server, and returns the whole response. An error status is
    /// an error.
    ///
    /// `name` may include scheme and port, such as `https:web:8443`. The segments of the path are checked like names, and a trailing
    /// slash is dropped. [`http`](Self::http) returns a client without these limits: streams, headers, and error responses as
    /// responses.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, Verb, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/a/services/web:http/proxy/healthz", r#"{"ok": true}"#);
    /// # let services = Api::<Service>::namespaced(&server.client(), "a");
    /// let response = services.proxy("web:http", Verb::Get, "/healthz").param("verbose", "1").await?;
    /// assert_eq!(response.body, r#"{"ok": true}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn proxy(&self, name: &str, verb: Verb, path: &str) -> ApiRequest<RawResponse, ()>
    where
        K: HasSubresource<sub::Proxy>,
    {
        let path = path.split('/').filter(|segment| !segment.is_empty());
        let segments = std::iter::once(sub::Proxy::NAME).chain(path);
        let request = self.request(verb).name(name).subresource(segments);
        self.ask(request, |request, ()| request, request::raw)
    }
}

impl<K: Resource, S> Clone for Api<K, S> {
    fn clone(&self) -> Self {
        Self { rest: self.rest.clone(), namespace: self.namespace.clone(), of: PhantomData }
    }
}

impl<K: Resource, S> fmt::Debug for Api<K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (plural, namespace) = (K::INFO.plural, self.namespace.as_str());
        f.debug_struct("Api")
            .field("resource", &plural)
            .field("namespace", &namespace)
            .finish_non_exhaustive()
    }
}
