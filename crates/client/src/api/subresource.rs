//! A handle on a subresource of one object.

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

/// A handle on the subresource `P` of one object of kind `K`: its status, its scale, and so on.
///
/// `P` decides which methods exist, and which type they take. [`Api::subresource`] and the methods next to it return one.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// # let server = Canned::new().on("GET /api/v1/namespaces/a/pods/web/status", r#"{"status": {"podIP": "10.0.0.7"}}"#);
/// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
/// let status = pods.status("web");
/// assert_eq!(status.get().await?.status.pod_ip, "10.0.0.7");
/// # Ok(())
/// # }
/// ```
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

    /// Reads the subresource.
    pub fn get(&self) -> ApiRequest<K::Payload, GetOptions>
    where
        P: verbs::Get,
    {
        self.api.ask(self.request(Verb::Get), request::params, request::object)
    }

    /// Posts an object to the subresource: an eviction, a binding, a token request. See [`Api::binding`] for an example.
    pub fn create(&self, object: impl Into<Arc<K::Payload>>) -> ApiRequest<K::Answer, CreateOptions>
    where
        P: verbs::Create,
    {
        self.api.ask(self.request(Verb::Post).object(object), request::params, request::object)
    }

    /// Replaces the subresource. With a `resourceVersion`, only if the object still has it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Namespace;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().echo("PUT /api/v1/namespaces/old/finalize");
    /// # let namespaces = Api::<Namespace>::cluster(&server.client());
    /// // Removes the finalizers of a namespace that does not terminate.
    /// let mut namespace = Namespace::default();
    /// namespace.metadata.name = "old".into();
    /// let updated = namespaces.finalize("old").update(namespace).await?;
    /// assert!(updated.spec.finalizers.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn update(&self, object: impl Into<Arc<K::Payload>>) -> ApiRequest<K::Payload, UpdateOptions>
    where
        P: verbs::Update,
    {
        self.api.ask(self.request(Verb::Put).object(object), request::params, request::object)
    }

    /// Changes parts of the subresource.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("PATCH /api/v1/namespaces/a/pods/web/resize", "{}");
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// use client_rs_machinery::patch::{JsonPatch, Patch};
    ///
    /// let more = br#"[{"op": "replace", "path": "/spec/containers/0/resources/requests/cpu", "value": "2"}]"#;
    /// pods.resize("web").patch(&Patch::Json(JsonPatch::parse(more)?)).await?;
    /// assert_eq!(server.received()[0].headers()["content-type"], "application/json-patch+json");
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch(&self, patch: &Patch) -> ApiRequest<K::Payload, PatchOptions>
    where
        P: verbs::Patch,
    {
        self.api.ask(self.place(Request::patch(patch)), request::params, request::object)
    }

    /// Server-side apply: see [`Api::apply`]. The document must have its `apiVersion` and `kind`. Its name is optional.
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
        self.api.apply_request(request, manager.into(), request::written_part)
    }

    /// Returns a request on the subresource as plain data: for parameters and headers that no method covers.
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
