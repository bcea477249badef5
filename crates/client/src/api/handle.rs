//! The handle.

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

/// What a server serves of kind `K`, where `S` reaches.
///
/// `S` is where the kind lives unless something else is said: `Api<Node>` is of the cluster, `Api<Pod>` of one namespace,
/// `Api<Pod, AllNamespaces>` of all. That is a type and no value because it decides which methods there are; three types
/// instead of one would repeat every method and split all code that is generic over kinds.
///
/// Cheap to clone: two counts. Clones share the [`RestClient`], its connections and its rate limit. Nothing is remembered
/// between requests.
///
/// The methods check what the compiler can't: an empty name or namespace, or one that would change the path of the URL, is
/// an error and nothing is sent.
pub struct Api<K: Resource, S = <K as Resource>::Scope> {
    rest: RestClient,
    /// Empty unless `S` is one namespace.
    namespace: Str,
    of: PhantomData<fn() -> (K, S)>,
}

impl<K: Resource> Api<K, Cluster> {
    /// The objects of the cluster.
    pub fn cluster(rest: &RestClient) -> Self
    where
        K::Scope: OfCluster,
    {
        Self::make(rest, Str::EMPTY)
    }
}

impl<K: Resource> Api<K, Namespaced> {
    /// The objects of a namespace.
    pub fn namespaced(rest: &RestClient, namespace: impl Into<Str>) -> Self
    where
        K::Scope: HasNamespaces,
    {
        Self::make(rest, namespace.into())
    }
}

impl<K: Resource> Api<K, AllNamespaces> {
    /// The objects of all namespaces.
    pub fn all(rest: &RestClient) -> Self
    where
        K::Scope: HasNamespaces,
    {
        Self::make(rest, Str::EMPTY)
    }
}

impl<K: Resource, S: Reach> Api<K, S> {
    /// The objects of a namespace, or of [`AllNamespaces`]: whichever the type of `within` says.
    pub fn within<W>(rest: &RestClient, within: W) -> Self
    where
        W: Within<Reach = S>,
        K::Scope: HasNamespaces,
    {
        Self::make(rest, within.into_namespace())
    }

    /// The same kind in this namespace.
    pub fn namespace(&self, namespace: impl Into<Str>) -> Api<K, Namespaced>
    where
        K::Scope: HasNamespaces,
    {
        Api::make(&self.rest, namespace.into())
    }

    /// The same kind in all namespaces.
    pub fn all_namespaces(&self) -> Api<K, AllNamespaces>
    where
        K::Scope: HasNamespaces,
    {
        Api::make(&self.rest, Str::EMPTY)
    }

    /// The client under it.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// A request on the collection, to which all can be added that no method does.
    pub fn request(&self, verb: Verb) -> Request {
        self.place(Request::new(verb))
    }

    /// The namespace; empty for a handle of the cluster, or of all namespaces.
    pub fn namespace_name(&self) -> &str {
        &self.namespace
    }

    fn make(rest: &RestClient, namespace: Str) -> Self {
        Self { rest: rest.clone(), namespace, of: PhantomData }
    }

    pub(super) fn place(&self, request: Request) -> Request {
        let request = request.of::<K>();
        match (S::ONE_NAMESPACE, self.namespace.is_empty()) {
            (false, _) => request,
            // Left out of the path, it would mean all of them.
            (true, true) => request.refuse(RequestError::Empty(PathPart::Namespace)),
            (true, false) => request.namespace(&self.namespace),
        }
    }

    pub(super) fn apply_request<T: Payload>(
        &self,
        request: Request,
        manager: Str,
    ) -> ApiRequest<T, ApplyOptions> {
        let request = if manager.is_empty() { request.refuse(RequestError::NoFieldManager) } else { request };
        let mut request = self.ask::<T, ApplyOptions>(request, request::params, request::object);
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
    /// The object of this name.
    pub fn get(&self, name: &str) -> ApiRequest<K, GetOptions>
    where
        K: verbs::Get,
        S: ByName,
    {
        self.ask(self.request(Verb::Get).name(name), request::params, request::object)
    }

    /// The objects, all at once. An object that does not decode fails the list. A limit makes it a page.
    pub fn list(&self) -> ApiRequest<Listed<K>, ListOptions>
    where
        K: verbs::List,
    {
        self.ask(self.request(Verb::Get), options::list, request::list)
    }

    /// The objects as they arrive: memory holds one of them.
    pub fn list_stream(&self) -> ApiRequest<ListStream<K>, ListOptions>
    where
        K: verbs::List,
    {
        self.ask(self.request(Verb::Get), options::list, request::list_stream)
    }

    /// The objects page by page: memory holds one page, and so does the server.
    pub fn pages(&self) -> Pages<K>
    where
        K: verbs::List,
    {
        Pages::new(self.rest.clone(), self.request(Verb::Get))
    }

    /// The changes, from a version on: see [`Watch`]. One watch, which ends; an informer goes on.
    pub fn watch(&self) -> ApiRequest<Watch<K>, ListOptions>
    where
        K: verbs::Watch,
    {
        self.ask(self.request(Verb::Get), options::watch, request::watch)
    }
}

/// Writes.
impl<K: Resource + Payload, S: ByName> Api<K, S> {
    /// Creates an object: one of its own, or a shared one (`Arc<K>`). Answers with the object as the server has it.
    pub fn create(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, CreateOptions>
    where
        K: verbs::Create,
    {
        self.ask(self.request(Verb::Post).object(object), request::params, request::created)
    }

    /// Replaces an object by one of the same name. With a `resourceVersion`, only if that is still the object's; else it is
    /// [a conflict](crate::Error::is_conflict).
    pub fn update(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, UpdateOptions>
    where
        K: verbs::Update,
    {
        self.ask(self.replace(object.into()), request::params, request::object)
    }

    /// Replaces an object's status, and nothing else of it.
    pub fn update_status(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, UpdateOptions>
    where
        K: verbs::Status,
    {
        let request = self.replace(object.into()).subresource([sub::Status::NAME]);
        self.ask(request, request::params, request::object)
    }

    /// Changes an object in part.
    pub fn patch(&self, name: &str, patch: &Patch) -> ApiRequest<K, PatchOptions>
    where
        K: verbs::Patch,
    {
        self.ask(self.place(Request::patch(patch)).name(name), request::params, request::object)
    }

    /// Changes an object's status in part, and nothing else of it.
    pub fn patch_status(&self, name: &str, patch: &Patch) -> ApiRequest<K, PatchOptions>
    where
        K: verbs::Status,
    {
        self.status(name).patch(patch)
    }

    /// Server-side apply: says which fields `manager` wants to own, with their values; creates the object where there is
    /// none. A field that another manager owns with another value is a conflict, which
    /// [names both](client_rs_machinery::ApiError::apply_conflicts), unless it is [forced](ApiRequest::force).
    pub fn apply<C: ApplyConfiguration<K>>(
        &self,
        configuration: C,
        manager: impl Into<Str>,
    ) -> ApiRequest<K, ApplyOptions>
    where
        K: verbs::Patch,
    {
        let request = self.applied(configuration.document());
        self.apply_request(request, manager.into())
    }

    /// Server-side apply of the status, and of nothing else.
    pub fn apply_status<C: ApplyConfiguration<K>>(
        &self,
        configuration: C,
        manager: impl Into<Str>,
    ) -> ApiRequest<K, ApplyOptions>
    where
        K: verbs::Status,
    {
        let request = self.applied(configuration.document()).subresource([sub::Status::NAME]);
        self.apply_request(request, manager.into())
    }

    /// Deletes an object.
    pub fn delete(&self, name: &str) -> ApiRequest<DeleteResponse<K>, DeleteOptions>
    where
        K: verbs::Delete,
    {
        self.ask(self.request(Verb::Delete).name(name), options::delete::<K>, request::deleted)
    }

    /// Deletes every object that the options select.
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

/// Parts of an object.
impl<K: Resource, S: ByName> Api<K, S> {
    /// A part of the object of this name that has a path of its own.
    pub fn subresource<P: Subresource>(&self, name: &str) -> SubresourceApi<K, P, S>
    where
        K: HasSubresource<P>,
    {
        SubresourceApi::new(self.clone(), name)
    }

    /// What is observed of an object.
    pub fn status(&self, name: &str) -> SubresourceApi<K, sub::Status, S>
    where
        K: HasSubresource<sub::Status>,
    {
        self.subresource(name)
    }

    /// How many replicas an object has, and shall have.
    pub fn scale(&self, name: &str) -> SubresourceApi<K, sub::Scale, S>
    where
        K: HasSubresource<sub::Scale>,
    {
        self.subresource(name)
    }

    /// Asks a pod to leave. An eviction that a disruption budget does not allow now is
    /// [refused](client_rs_machinery::ApiError::is_too_many_requests).
    pub fn eviction(&self, name: &str) -> SubresourceApi<K, sub::Eviction, S>
    where
        K: HasSubresource<sub::Eviction>,
    {
        self.subresource(name)
    }

    /// Gives a pod its node.
    pub fn binding(&self, name: &str) -> SubresourceApi<K, sub::Binding, S>
    where
        K: HasSubresource<sub::Binding>,
    {
        self.subresource(name)
    }

    /// Tokens of a service account.
    pub fn token(&self, name: &str) -> SubresourceApi<K, sub::Token, S>
    where
        K: HasSubresource<sub::Token>,
    {
        self.subresource(name)
    }

    /// Approves or denies a certificate signing request.
    pub fn approval(&self, name: &str) -> SubresourceApi<K, sub::Approval, S>
    where
        K: HasSubresource<sub::Approval>,
    {
        self.subresource(name)
    }

    /// Containers that are added to a running pod.
    pub fn ephemeral_containers(&self, name: &str) -> SubresourceApi<K, sub::EphemeralContainers, S>
    where
        K: HasSubresource<sub::EphemeralContainers>,
    {
        self.subresource(name)
    }

    /// The resources of a running pod.
    pub fn resize(&self, name: &str) -> SubresourceApi<K, sub::Resize, S>
    where
        K: HasSubresource<sub::Resize>,
    {
        self.subresource(name)
    }

    /// The finalizers of a namespace.
    pub fn finalize(&self, name: &str) -> SubresourceApi<K, sub::Finalize, S>
    where
        K: HasSubresource<sub::Finalize>,
    {
        self.subresource(name)
    }

    /// What a container of a pod has written, and with `follow` what it writes from now on.
    pub fn log(&self, name: &str) -> ApiRequest<Log, <K as HasSubresource<sub::Log>>::Payload>
    where
        K: HasSubresource<sub::Log>,
        <K as HasSubresource<sub::Log>>::Payload: Message,
    {
        let request = self.request(Verb::Get).name(name).subresource([sub::Log::NAME]);
        self.ask(request, request::params, log::read)
    }

    /// One HTTP request to what listens at a pod, service or node, and its answer, whole; an error status is an error. For
    /// all else see [`http`](Self::http). `name` may name scheme and port too, such as
    /// `https:web:8443`. Segments of the path are checked as names are; a slash at the end is not kept.
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
