//! A handle on a part of an object.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use client_rs_machinery::meta::v1::{ApplyOptions, CreateOptions, GetOptions, PatchOptions, UpdateOptions};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::subresource::{HasSubresource, Subresource, verbs};
use client_rs_machinery::{Resource, Str};

use super::Api;
use super::apply::{self, ApplyConfiguration};
use super::reach::ByName;
use super::request::{self, ApiRequest};
use crate::{Request, Verb};

/// The part `P` of one object of kind `K`: its status, its scale, …
///
/// Which methods it has follows from `P`.
pub struct SubresourceApi<K: Resource, P, S = <K as Resource>::Scope> {
    api: Api<K, S>,
    name: Str,
    part: PhantomData<fn() -> P>,
}

impl<K, P, S> SubresourceApi<K, P, S>
where
    K: HasSubresource<P>,
    P: Subresource,
    S: ByName,
{
    pub(super) fn new(api: Api<K, S>, name: &str) -> Self {
        Self { api, name: name.into(), part: PhantomData }
    }

    /// Reads it.
    pub fn get(&self) -> ApiRequest<K::Payload, GetOptions>
    where
        P: verbs::Get,
    {
        self.api.ask(self.request(Verb::Get), request::params, request::object)
    }

    /// Creates there what it takes.
    pub fn create(&self, object: impl Into<Arc<K::Payload>>) -> ApiRequest<K::Answer, CreateOptions>
    where
        P: verbs::Create,
    {
        self.api.ask(self.request(Verb::Post).object(object), request::params, request::object)
    }

    /// Replaces it. With a `resourceVersion`, only if that is still the object's.
    pub fn update(&self, object: impl Into<Arc<K::Payload>>) -> ApiRequest<K::Payload, UpdateOptions>
    where
        P: verbs::Update,
    {
        self.api.ask(self.request(Verb::Put).object(object), request::params, request::object)
    }

    /// Changes it in part.
    pub fn patch(&self, patch: &Patch) -> ApiRequest<K::Payload, PatchOptions>
    where
        P: verbs::Patch,
    {
        self.api.ask(self.place(Request::patch(patch)), request::params, request::object)
    }

    /// Server-side apply: see [`Api::apply`]. The document names its kind; its name may be left out.
    pub fn apply<C: ApplyConfiguration<K::Payload>>(
        &self,
        configuration: C,
        manager: impl Into<Str>,
    ) -> ApiRequest<K::Payload, ApplyOptions>
    where
        P: verbs::Patch,
    {
        let request = match apply::of_part(configuration.document(), self.api.namespace_name(), &self.name) {
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
        self.api.place(request).name(&self.name).subresource([P::NAME])
    }
}

impl<K: Resource, P, S> Clone for SubresourceApi<K, P, S> {
    fn clone(&self) -> Self {
        Self { api: self.api.clone(), name: self.name.clone(), part: PhantomData }
    }
}

impl<K: Resource, P: Subresource, S> fmt::Debug for SubresourceApi<K, P, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (api, name, part) = (&self.api, self.name.as_str(), P::NAME);
        f.debug_struct("SubresourceApi").field("api", api).field("name", &name).field("part", &part).finish()
    }
}
