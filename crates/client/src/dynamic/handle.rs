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

/// What a server serves of one resource, as [`Unstructured`] objects: of the cluster, of one namespace, or of all.
///
/// Its methods are those of [`Api`](crate::Api), with the same options; all of them are there, and the server says no to
/// what it does not serve. Objects go as JSON. An empty name, or one that would change the path of the URL, is an error and
/// nothing is sent.
#[derive(Clone, Debug)]
pub struct DynamicApi {
    rest: RestClient,
    place: Place,
}

impl DynamicApi {
    pub(super) fn new(rest: RestClient, place: Place) -> Self {
        Self { rest, place }
    }

    /// The same resource in this namespace.
    #[must_use]
    pub fn namespace(&self, namespace: impl Into<Str>) -> Self {
        Self { rest: self.rest.clone(), place: self.place.within(namespace.into()) }
    }

    /// The same resource in all namespaces.
    #[must_use]
    pub fn all_namespaces(&self) -> Self {
        Self { rest: self.rest.clone(), place: Place { namespace: None, ..self.place.clone() } }
    }

    /// The client under it.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// Group, version and plural name.
    pub fn resource(&self) -> &GroupVersionResource {
        &self.place.resource
    }

    /// The kind of its objects, if the handle was made from a mapping.
    pub fn kind(&self) -> Option<&GroupVersionKind> {
        self.place.kind.as_ref()
    }

    /// A request on the collection, to which all can be added that no method does.
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
    /// The object of this name.
    pub fn get(&self, name: &str) -> ApiRequest<Unstructured, GetOptions> {
        self.ask(self.place.one(Verb::Get, name), request::params, request::object)
    }

    /// The objects, all at once. An object that does not decode fails the list. A limit makes it a page.
    pub fn list(&self) -> ApiRequest<Listed<Unstructured>, ListOptions> {
        self.ask(self.request(Verb::Get), options::list, list)
    }

    /// The objects as they arrive: memory holds one of them.
    ///
    /// Of built-in resources the server leaves out `apiVersion` and `kind` of each; the list's
    /// [summary](ListStream::summary) has its own.
    pub fn list_stream(&self) -> ApiRequest<ListStream<Unstructured>, ListOptions> {
        self.ask(self.request(Verb::Get), options::list, request::list_stream)
    }

    /// The objects page by page. As with [`list_stream`](Self::list_stream), those of built-in resources come without
    /// their kind.
    pub fn pages(&self) -> Pages<Unstructured> {
        Pages::new(self.rest.clone(), self.request(Verb::Get))
    }

    /// The changes, from a version on: see [`Watch`].
    pub fn watch(&self) -> ApiRequest<Watch<Unstructured>, ListOptions> {
        self.ask(self.request(Verb::Get), options::watch, request::watch)
    }
}

/// Writes.
impl DynamicApi {
    /// Creates an object.
    pub fn create(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, CreateOptions> {
        let object = object.into();
        let request = self.checked(self.place.single(Request::post()), &object);
        self.ask(request.body(BodySource::object(object)), request::params, request::created)
    }

    /// Replaces an object by one of the same name. With a `resourceVersion`, only if that is still the object's; else it is
    /// [a conflict](crate::Error::is_conflict).
    pub fn update(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, UpdateOptions> {
        self.ask(self.replace(object.into()), request::params, request::object)
    }

    /// Replaces an object's status, and nothing else of it.
    pub fn update_status(
        &self,
        object: impl Into<Arc<Unstructured>>,
    ) -> ApiRequest<Unstructured, UpdateOptions> {
        self.ask(self.replace(object.into()).subresource(["status"]), request::params, request::object)
    }

    /// Changes an object in part. A strategic merge patch is for built-in resources only.
    pub fn patch(&self, name: &str, patch: &Patch) -> ApiRequest<Unstructured, PatchOptions> {
        let request = self.place.single(Request::patch(patch)).name(name);
        self.ask(request, request::params, request::object)
    }

    /// Server-side apply: `object` has the fields that `manager` wants to own, and no other. Creates it where there is
    /// none.
    ///
    /// An object that was read can't be applied as it is: it has managed fields, and all of its fields would be owned.
    pub fn apply(
        &self,
        object: &Unstructured,
        manager: impl Into<Str>,
    ) -> ApiRequest<Unstructured, ApplyOptions> {
        self.apply_request(self.applied(object), manager.into())
    }

    /// Server-side apply of the status, and of nothing else.
    pub fn apply_status(
        &self,
        object: &Unstructured,
        manager: impl Into<Str>,
    ) -> ApiRequest<Unstructured, ApplyOptions> {
        self.apply_request(self.applied(object).subresource(["status"]), manager.into())
    }

    /// Deletes an object.
    pub fn delete(&self, name: &str) -> ApiRequest<DeleteResponse<Unstructured>, DeleteOptions> {
        self.ask(self.place.one(Verb::Delete, name), options::delete::<Unstructured>, request::deleted)
    }

    /// Deletes every object that the options select. For a resource known to be in namespaces, one must be named: no
    /// server deletes across them.
    pub fn delete_collection(
        &self,
    ) -> ApiRequest<DeleteResponse<Listed<Unstructured>>, DeleteCollectionOptions> {
        let request = self.place.single(Request::delete());
        self.ask(request, options::delete_collection::<Unstructured>, request::deleted_collection)
    }

    /// A part of the object of this name: `["status"]`, or several segments.
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

    /// What is applied: with its kind, which the server needs there.
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
        let mut request = self.ask::<_, ApplyOptions>(request, request::params, request::object);
        request.options.field_manager = manager;
        request
    }
}

/// A part of one object of any resource: its status, its scale, …
#[derive(Clone, Debug)]
pub struct DynamicSubresource {
    api: DynamicApi,
    name: Str,
    segments: Vec<Str>,
}

impl DynamicSubresource {
    /// Reads it.
    pub fn get(&self) -> ApiRequest<Unstructured, GetOptions> {
        self.api.ask(self.request(Verb::Get), request::params, request::object)
    }

    /// Creates there what it takes: an eviction, a token request, a binding.
    pub fn create(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, CreateOptions> {
        let request = self.request(Verb::Post).body(BodySource::object(object.into()));
        self.api.ask(request, request::params, request::object)
    }

    /// Replaces it.
    pub fn update(&self, object: impl Into<Arc<Unstructured>>) -> ApiRequest<Unstructured, UpdateOptions> {
        let request = self.request(Verb::Put).body(BodySource::object(object.into()));
        self.api.ask(request, request::params, request::object)
    }

    /// Changes it in part.
    pub fn patch(&self, patch: &Patch) -> ApiRequest<Unstructured, PatchOptions> {
        self.api.ask(self.place(Request::patch(patch)), request::params, request::object)
    }

    /// Server-side apply of it. The document names its kind; its name may be left out.
    pub fn apply(&self, document: &Json, manager: impl Into<Str>) -> ApiRequest<Unstructured, ApplyOptions> {
        let request = match apply::of_part(document, self.api.place.namespace(), &self.name) {
            Ok(document) => self.place(Request::patch(&Patch::apply(document))),
            Err(error) => self.request(Verb::Patch).refuse(error),
        };
        self.api.apply_request(request, manager.into())
    }

    /// A request on it, to which all can be added that no method does.
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

/// A list whose items all say their kind: where the server leaves it out, what the list's kind implies.
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
