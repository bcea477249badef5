//! Writes to the server.

use std::future::Future;
use std::sync::Arc;

use client_rs_client::api::{Api, ApiRequest, ApplyConfiguration, ByName, DeleteResponse};
use client_rs_machinery::meta::v1::{
    ApplyOptions, CreateOptions, DeleteOptions, PatchOptions, UpdateOptions,
};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, verbs};

use super::ClusterClient;
use crate::{Finalizing, Result};

/// Each method returns a request: options follow as methods, `.await` sends it. The namespace is that of the object.
impl ClusterClient {
    /// Returns a handle on the kind and the namespace of an object, for requests that have no method here.
    pub fn api_of<K: Resource<Scope: ByName>>(&self, object: &K) -> Api<K> {
        Api::of(&self.rest, object)
    }

    /// Creates an object. See [`Api::create`].
    pub fn create<K>(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, CreateOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Create,
    {
        let object = object.into();
        self.api_of(&*object).create(object)
    }

    /// Replaces an object, at the version that it has. See [`Api::update`].
    pub fn update<K>(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, UpdateOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Update,
    {
        let object = object.into();
        self.api_of(&*object).update(object)
    }

    /// Replaces the status of an object, at the version that it has. See [`Api::update_status`].
    pub fn update_status<K>(&self, object: impl Into<Arc<K>>) -> ApiRequest<K, UpdateOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Status,
    {
        let object = object.into();
        self.api_of(&*object).update_status(object)
    }

    /// Patches an object, such as with [`Patch::merge_from`]. See [`Api::patch`].
    pub fn patch<K>(&self, object: &K, patch: &Patch) -> ApiRequest<K, PatchOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Patch,
    {
        self.api_of(object).patch(object.name(), patch)
    }

    /// Patches the status of an object. See [`Api::patch_status`].
    pub fn patch_status<K>(&self, object: &K, patch: &Patch) -> ApiRequest<K, PatchOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Status,
    {
        self.api_of(object).patch_status(object.name(), patch)
    }

    /// Applies a document with the name of this client as the field manager. The namespace is that of the document. For children use
    /// [`owned`](Self::owned). See [`Api::apply`].
    pub fn apply<K>(&self, configuration: impl ApplyConfiguration<K>) -> ApiRequest<K, ApplyOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Patch,
    {
        let namespace =
            configuration.document()["metadata"]["namespace"].as_str().unwrap_or_default().to_owned();
        Api::<K>::in_scope(&self.rest, namespace).apply(configuration, self.shared.name.clone())
    }

    /// Deletes an object. It has no precondition: add `.if_uid(object.uid())` to spare a new object of the same name. See
    /// [`Api::delete`].
    pub fn delete<K>(&self, object: &K) -> ApiRequest<DeleteResponse<K>, DeleteOptions>
    where
        K: Resource<Scope: ByName> + Payload + verbs::Delete,
    {
        self.api_of(object).delete(object.name())
    }

    /// Reconciles an object under a finalizer; see [`finalizer()`](crate::finalizer()).
    ///
    /// # Errors
    ///
    /// The errors of `step`, and those of the two writes.
    pub async fn finalizer<K, F, Fut>(&self, name: &str, object: &Arc<K>, step: F) -> Result
    where
        K: Resource<Scope: ByName> + Payload + verbs::Patch,
        F: FnOnce(Finalizing<K>) -> Fut,
        Fut: Future<Output = Result>,
    {
        crate::finalizer(&self.api_of(&**object), name, object, step).await
    }
}
