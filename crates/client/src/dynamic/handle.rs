//! A handle on the objects of any resource.

use std::sync::Arc;

use client_rs_machinery::meta::v1::{
    ApplyOptions, CreateOptions, DeleteOptions, GetOptions, ListOptions, PatchOptions, UpdateOptions,
};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{GroupVersionKind, GroupVersionResource, Json, Str, Unstructured};

use super::place::Place;
use crate::api::{
    ApiRequest, ApplyConfigurationError, DeleteCollectionOptions, DeleteResponse, Pages, Reply, apply,
    options, request,
};
use crate::{
    BodySource, DecodeOptions, ListStream, Listed, PathPart, Request, RequestError, RestClient, Verb, Watch,
};

/// A handle on the objects of one resource, as [`Unstructured`] objects: in the cluster, in one namespace, or in all namespaces.
///
/// It has the methods of [`Api`](crate::Api), with the same options. All methods exist for every resource; the server refuses verbs
/// that it does not support. Objects are sent as JSON. [`DynamicClient`](crate::DynamicClient) returns handles.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::{DynamicClient, testing::Canned};
/// # use client_rs_machinery::{GroupVersionResource, Unstructured};
/// # let server = Canned::new()
/// #     .echo("POST /apis/example.com/v1/namespaces/shop/widgets")
/// #     .on("GET /apis/example.com/v1/widgets", r#"{"kind": "WidgetList", "apiVersion": "example.com/v1",
/// #         "items": [{"metadata": {"name": "w"}}]}"#);
/// # let client = DynamicClient::from_rest(server.client());
/// let everywhere = client.resource(GroupVersionResource::new("example.com", "v1", "widgets"));
/// let widget = Unstructured::new("example.com/v1", "Widget", "w");
/// everywhere.namespace("shop").create(widget).field_manager("me").await?;
/// assert_eq!(everywhere.list().await?.items[0].kind(), "Widget");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// An empty name, or one that would change the path of the URL, is an error when the request is sent, and nothing is sent.
#[derive(Clone, Debug)]
pub struct DynamicApi {
    rest: RestClient,
    place: Place,
}

impl DynamicApi {
    pub(super) fn new(rest: RestClient, place: Place) -> Self {
        Self { rest, place }
    }

    /// Returns a handle on the same resource in this namespace.
    #[must_use]
    pub fn namespace(&self, namespace: impl Into<Str>) -> Self {
        Self { rest: self.rest.clone(), place: self.place.within(namespace.into()) }
    }

    /// Returns a handle on the same resource in all namespaces.
    ///
    /// ```
    /// # use client_rs_client::{DynamicClient, Verb, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let client = DynamicClient::from_rest(Canned::new().client());
    /// let pods = client.resource(GroupVersionResource::new("", "v1", "pods"));
    /// assert_eq!(pods.namespace("a").all_namespaces().request(Verb::Get).path_and_query("").unwrap(), "/api/v1/pods");
    /// ```
    #[must_use]
    pub fn all_namespaces(&self) -> Self {
        Self { rest: self.rest.clone(), place: Place { namespace: None, ..self.place.clone() } }
    }

    /// The client that sends the requests of this handle.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// Group, version and plural name.
    pub fn resource(&self) -> &GroupVersionResource {
        &self.place.resource
    }

    /// The kind of the objects, if the handle was created from a mapping.
    pub fn kind(&self) -> Option<&GroupVersionKind> {
        self.place.kind.as_ref()
    }

    /// Returns a request on the collection as plain data: for parameters and headers that no method covers.
    pub fn request(&self, verb: Verb) -> Request {
        self.place.all(Request::new(verb))
    }

    fn ask<T, O: Default>(
        &self,
        request: Request,
        encode: fn(Request, &O) -> Request,
        read: fn(RestClient, Request, DecodeOptions) -> Reply<T>,
    ) -> ApiRequest<T, O> {
        ApiRequest::new(self.rest.clone(), request, encode, read)
    }
}

/// Reads.
impl DynamicApi {
    /// Reads the object with this name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let gvr = GroupVersionResource::new("example.com", "v1", "widgets");
    /// # let server = Canned::new().on("GET /apis/example.com/v1/widgets/w", r#"{"apiVersion": "example.com/v1", "kind": "Widget",
    /// #     "metadata": {"name": "w"}, "status": {"ready": true}}"#);
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(gvr);
    /// let widget = widgets.get("w").await?;
    /// assert_eq!(widget.nested_bool(&["status", "ready"])?, Some(true));
    /// # Ok(())
    /// # }
    /// ```
    pub fn get(&self, name: &str) -> ApiRequest<Unstructured, GetOptions> {
        self.ask(self.place.one(Verb::Get, name), request::params, request::object)
    }

    /// Reads the object with this name; `None` if it does not exist. See [`Api::get_opt`](crate::Api::get_opt).
    pub fn get_opt(&self, name: &str) -> ApiRequest<Option<Unstructured>, GetOptions> {
        self.ask(self.place.one(Verb::Get, name), request::params, request::optional)
    }

    /// Lists the objects, all at once. An object that does not decode fails the list. With a limit, the result is one page.
    ///
    /// Servers omit `apiVersion` and `kind` of the items of built-in resources. The client sets them from the kind of the list.
    pub fn list(&self) -> ApiRequest<Listed<Unstructured>, ListOptions> {
        self.ask(self.request(Verb::Get), options::list, list)
    }

    /// Lists the objects as they arrive. Memory holds one object at a time.
    ///
    /// Servers omit `apiVersion` and `kind` of the items of built-in resources. The client sets them if the kind of the list precedes
    /// the items, which is the case with API servers.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource};
    /// use client_rs_client::ListItem;
    ///
    /// # let server = Canned::new().on("GET /api/v1/nodes", r#"{"kind": "NodeList", "apiVersion": "v1", "items": [{"metadata": {"name": "n1"}}]}"#);
    /// # let nodes = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("", "v1", "nodes"));
    /// let mut stream = nodes.list_stream().await?;
    /// while let Some(ListItem::Object(node)) = stream.try_next().await? {
    ///     assert_eq!((node.kind(), node.name()), ("Node", "n1"));
    /// }
    /// assert_eq!(stream.summary().unwrap().kind, "NodeList");
    /// # Ok(())
    /// # }
    /// ```
    pub fn list_stream(&self) -> ApiRequest<ListStream<Unstructured>, ListOptions> {
        self.ask(self.request(Verb::Get), options::list, request::list_stream)
    }

    /// Lists the objects page by page. Memory holds one page. See [`Pages`].
    pub fn pages(&self) -> Pages<Unstructured> {
        Pages::new(self.rest.clone(), self.request(Verb::Get))
    }

    /// Watches for changes after a `resourceVersion`. See [`Watch`] for order, errors and memory.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource};
    /// # let server = Canned::new().on("GET /apis/example.com/v1/widgets?watch=true",
    /// #     r#"{"type": "DELETED", "object": {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}}"#);
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("example.com", "v1", "widgets"));
    /// use client_rs_machinery::wire::WatchEvent;
    ///
    /// let mut watch = widgets.watch().resource_version("41").await?;
    /// let Some(Ok(WatchEvent::Deleted(widget))) = watch.next().await else { panic!("expected an event") };
    /// assert_eq!(widget.name(), "w");
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self) -> ApiRequest<Watch<Unstructured>, ListOptions> {
        self.ask(self.request(Verb::Get), options::watch, request::watch)
    }
}

/// Writes.
impl DynamicApi {
    /// Creates an object, and returns it as the server stored it.
    ///
    /// If the handle was created from a mapping, the kind of the object must be that of the handle.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, Error, testing::Canned};
    /// # use client_rs_machinery::Unstructured;
    /// # let server = Canned::new().with_discovery();
    /// let nodes = DynamicClient::from_rest(server.client()).find("nodes").await?;
    /// let error = nodes.create(Unstructured::new("v1", "Pod", "web")).await.unwrap_err();
    /// assert!(matches!(error, Error::Request(_)), "not sent: {error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn create(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, CreateOptions> {
        let object = object.into();
        let request = self.checked(self.place.single(Request::post()), &object);
        self.ask(request.body(BodySource::object(object)), request::params, request::created)
    }

    /// Replaces an object with the same name. If it has a `resourceVersion` that is not the stored one, the error is
    /// [a conflict](crate::Error::is_conflict).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource, Unstructured};
    /// # let server = Canned::new().echo("PUT /apis/example.com/v1/namespaces/a/widgets/w");
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("example.com", "v1", "widgets")).namespace("a");
    /// let mut widget = Unstructured::new("example.com/v1", "Widget", "w");
    /// widget.set_nested(&["spec", "size"], 4)?;
    /// assert_eq!(widgets.update(widget).await?.nested_i64(&["spec", "size"])?, Some(4));
    /// # Ok(())
    /// # }
    /// ```
    pub fn update(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, UpdateOptions> {
        self.ask(self.replace(object.into()), request::params, request::written)
    }

    /// Replaces the status of an object. The server ignores all other changes.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource, Unstructured};
    /// # let gvr = GroupVersionResource::new("example.com", "v1", "widgets");
    /// # let server = Canned::new().echo("PUT /apis/example.com/v1/widgets/w/status");
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(gvr);
    /// let mut widget = Unstructured::new("example.com/v1", "Widget", "w");
    /// widget.set_nested(&["status", "ready"], true)?;
    /// let stored = widgets.update_status(widget).await?;
    /// assert_eq!(stored.nested_bool(&["status", "ready"])?, Some(true));
    /// # Ok(())
    /// # }
    /// ```
    pub fn update_status(
        &self,
        object: impl Into<Arc<Unstructured>>,
    ) -> ApiRequest<Unstructured, UpdateOptions> {
        self.ask(self.replace(object.into()).subresource(["status"]), request::params, request::written)
    }

    /// Changes parts of an object. A strategic merge patch works for built-in resources only.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource};
    /// # let server = Canned::new().on("PATCH /apis/example.com/v1/namespaces/a/widgets/w",
    /// #     r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "labels": {"x": "y"}}}"#);
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("example.com", "v1", "widgets")).namespace("a");
    /// use client_rs_machinery::{json, patch::Patch};
    ///
    /// let label = Patch::Merge(json!({"metadata": {"labels": {"x": "y"}}}));
    /// assert_eq!(widgets.patch("w", &label).await?.label("x"), Some("y"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch(&self, name: &str, patch: &Patch) -> ApiRequest<Unstructured, PatchOptions> {
        let request = self.place.single(Request::patch(patch)).name(name);
        self.ask(request, request::params, request::object)
    }

    /// Server-side apply: `object` has exactly the fields that `manager` wants to own. Creates the object if it does not exist.
    ///
    /// An object that was read can't be applied unchanged: it has managed fields, and all of its fields would be owned.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource, Unstructured};
    /// # let server = Canned::new().on("PATCH /apis/example.com/v1/namespaces/a/widgets/w", r#"{"apiVersion": "example.com/v1", "kind": "Widget"}"#);
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("example.com", "v1", "widgets")).namespace("a");
    /// let mut wanted = Unstructured::new("example.com/v1", "Widget", "w");
    /// wanted.set_nested(&["spec", "color"], "blue")?;
    /// widgets.apply(&wanted, "my-tool").dry_run().await?;
    /// assert!(server.calls()[0].ends_with("/w?dryRun=All&fieldManager=my-tool&force=false"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn apply(
        &self,
        object: &Unstructured,
        manager: impl Into<Str>,
    ) -> ApiRequest<Unstructured, ApplyOptions> {
        self.apply_request(self.applied(object), manager.into())
    }

    /// Server-side apply of the status. The server ignores all other fields.
    pub fn apply_status(
        &self,
        object: &Unstructured,
        manager: impl Into<Str>,
    ) -> ApiRequest<Unstructured, ApplyOptions> {
        self.apply_request(self.applied(object).subresource(["status"]), manager.into())
    }

    /// Deletes an object. The response does not mean that it is gone: see [`DeleteResponse`].
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let gvr = GroupVersionResource::new("example.com", "v1", "widgets");
    /// use client_rs_client::api::Propagation;
    ///
    /// # let server = Canned::new().on("DELETE /apis/example.com/v1/widgets/w", r#"{"kind": "Status", "apiVersion": "v1", "status": "Success"}"#);
    /// # let widgets = DynamicClient::from_rest(server.client()).resource(gvr);
    /// widgets.delete("w").propagation(Propagation::Orphan).await?;
    /// assert_eq!(server.received()[0].body(), r#"{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Orphan"}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete(&self, name: &str) -> ApiRequest<DeleteResponse<Unstructured>, DeleteOptions> {
        self.ask(self.place.one(Verb::Delete, name), options::delete::<Unstructured>, request::deleted)
    }

    /// Deletes every object that the options select. For a resource that is known to be namespaced, select a namespace first: no server
    /// deletes across namespaces.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource};
    /// # let server = Canned::new().on("DELETE /apis/batch/v1/namespaces/a/jobs", r#"{"kind": "JobList", "apiVersion": "batch/v1", "items": []}"#);
    /// # let jobs = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("batch", "v1", "jobs"));
    /// jobs.namespace("a").delete_collection().label_selector("done").await?;
    /// assert_eq!(server.calls(), ["DELETE /apis/batch/v1/namespaces/a/jobs?labelSelector=done"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete_collection(
        &self,
    ) -> ApiRequest<DeleteResponse<Listed<Unstructured>>, DeleteCollectionOptions> {
        let request = self.place.single(Request::delete());
        self.ask(request, options::delete_collection::<Unstructured>, request::deleted_collection)
    }

    /// Returns a handle on a subresource of the object with this name: `["status"]`, or several segments.
    pub fn subresource<S: Into<Str>>(
        &self,
        name: &str,
        segments: impl IntoIterator<Item = S>,
    ) -> DynamicSubresource {
        DynamicSubresource {
            api: self.clone(),
            name: name.into(),
            segments: segments.into_iter().map(Into::into).collect(),
        }
    }

    fn checked(&self, request: Request, object: &Unstructured) -> Request {
        self.place.check(request, object.api_version(), object.kind(), object.namespace())
    }

    fn replace(&self, object: Arc<Unstructured>) -> Request {
        let request = self.place.one(Verb::Put, object.name());
        self.checked(request, &object).body(BodySource::object(object))
    }

    fn applied(&self, object: &Unstructured) -> Request {
        match self.document(object) {
            Ok(document) => {
                let request = self.place.single(Request::patch(&Patch::apply(document))).name(object.name());
                self.checked(request, object)
            }
            Err(error) => self.request(Verb::Patch).refuse(error),
        }
    }

    /// Returns the document to apply, with its kind, which the server requires.
    fn document(&self, object: &Unstructured) -> Result<Json, RequestError> {
        if object.name().is_empty() {
            return Err(RequestError::Empty(PathPart::Name));
        }
        let mut object = object.clone();
        if let Some(kind) = &self.place.kind {
            if object.api_version().is_empty() {
                object.set_api_version(kind.api_version());
            }
            if object.kind().is_empty() {
                object.set_kind(kind.kind.clone());
            }
        }
        if object.api_version().is_empty() || object.kind().is_empty() {
            let expected = "an apiVersion and a kind".to_owned();
            let found = format!("{} {}", object.api_version(), object.kind());
            return Err(ApplyConfigurationError::Kind { expected, found }.into());
        }
        let name = object.name().to_owned();
        let namespace =
            if self.place.namespace.is_some() { self.place.namespace() } else { object.namespace() };
        apply::of_part(&Json::from(&object), namespace, &name)
    }

    fn apply_request(&self, request: Request, manager: Str) -> ApiRequest<Unstructured, ApplyOptions> {
        let request = if manager.is_empty() { request.refuse(RequestError::NoFieldManager) } else { request };
        let mut request = self.ask::<_, ApplyOptions>(request, request::params, request::written);
        request.options.field_manager = manager;
        request
    }
}

/// A handle on a subresource of one object of any resource: its status, its scale, and so on.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::{DynamicClient, testing::Canned};
/// # use client_rs_machinery::{GroupVersionResource, Unstructured};
/// # let server = Canned::new().on("POST /api/v1/namespaces/a/pods/web/eviction", r#"{"kind": "Status", "apiVersion": "v1", "status": "Success"}"#);
/// # let pods = DynamicClient::from_rest(server.client()).resource(GroupVersionResource::new("", "v1", "pods")).namespace("a");
/// let eviction = Unstructured::new("policy/v1", "Eviction", "web");
/// let status = pods.subresource("web", ["eviction"]).create(eviction).await?;
/// assert_eq!(status.nested_str(&["status"])?, Some("Success"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DynamicSubresource {
    api: DynamicApi,
    name: Str,
    segments: Vec<Str>,
}

impl DynamicSubresource {
    /// Reads the subresource.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let server = Canned::new().on("GET /apis/apps/v1/namespaces/a/deployments/web/scale",
    /// #     r#"{"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 2}}"#);
    /// # let gvr = GroupVersionResource::new("apps", "v1", "deployments");
    /// # let deployments = DynamicClient::from_rest(server.client()).resource(gvr).namespace("a");
    /// let scale = deployments.subresource("web", ["scale"]).get().await?;
    /// assert_eq!(scale.nested_i64(&["spec", "replicas"])?, Some(2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn get(&self) -> ApiRequest<Unstructured, GetOptions> {
        self.api.ask(self.request(Verb::Get), request::params, request::object)
    }

    /// Posts an object to the subresource: an eviction, a token request, a binding.
    pub fn create(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, CreateOptions> {
        let request = self.request(Verb::Post).body(BodySource::object(object.into()));
        self.api.ask(request, request::params, request::object)
    }

    /// Replaces the subresource.
    pub fn update(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, UpdateOptions> {
        let request = self.request(Verb::Put).body(BodySource::object(object.into()));
        self.api.ask(request, request::params, request::object)
    }

    /// Changes parts of the subresource.
    pub fn patch(&self, patch: &Patch) -> ApiRequest<Unstructured, PatchOptions> {
        self.api.ask(self.place(Request::patch(patch)), request::params, request::object)
    }

    /// Server-side apply of the subresource. The document must have its `apiVersion` and `kind`. Its name is optional.
    pub fn apply(&self, document: &Json, manager: impl Into<Str>) -> ApiRequest<Unstructured, ApplyOptions> {
        let request = match apply::of_part(document, self.api.place.namespace(), &self.name) {
            Ok(document) => self.place(Request::patch(&Patch::apply(document))),
            Err(error) => self.request(Verb::Patch).refuse(error),
        };
        self.api.apply_request(request, manager.into())
    }

    /// Returns a request on the subresource as plain data: for parameters and headers that no method covers.
    pub fn request(&self, verb: Verb) -> Request {
        self.place(Request::new(verb))
    }

    fn place(&self, request: Request) -> Request {
        let request = self.api.place.single(request).name(&self.name);
        if self.segments.is_empty() || self.segments.iter().any(|segment| segment.is_empty()) {
            return request.refuse(RequestError::Empty(PathPart::Subresource));
        }
        request.subresource(&self.segments)
    }
}

/// Reads a list, and sets the kind of each item where the server omits it: from the kind of the list.
fn list(rest: RestClient, request: Request, decode: DecodeOptions) -> Reply<Listed<Unstructured>> {
    Box::pin(async move {
        let (mut list, summary) =
            rest.list_stream_with::<Unstructured>(request, decode).await?.collect_all().await?;
        let kind = summary.kind.strip_suffix("List").unwrap_or_default();
        for item in &mut list.items {
            if item.kind().is_empty() && item.api_version().is_empty() && !kind.is_empty() {
                item.set_api_version(summary.api_version.clone());
                item.set_kind(kind);
            }
        }
        Ok(list)
    })
}
