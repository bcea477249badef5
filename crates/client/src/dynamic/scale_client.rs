//! The number of replicas of anything that has one.

use client_rs_machinery::patch::Patch;
use client_rs_machinery::{GroupResource, GroupVersionKind, GroupVersionResource, Str, Unstructured};
use std::sync::Arc;

use super::handle::DynamicSubresource;
use super::{DynamicClient, Scale, ScaleError};
use crate::Error;
use crate::discovery::{DeferredRestMapper, MapError, RestMapping};

/// Reads and sets the number of replicas of any resource that has a `scale`: deployments, stateful sets, custom resources.
///
/// The resource is named without its version: the mapper knows which one the server prefers, and which kind of scale it
/// speaks. The server is asked for that once, not for each call.
#[derive(Clone, Debug)]
pub struct ScaleClient {
    dynamic: DynamicClient,
}

/// Why replicas could not be read or set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleClientError {
    /// There is no such resource.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The resource has no `scale`; a custom resource gets one from `subresources.scale` in its definition.
    #[error("{0} have no scale subresource")]
    NotScalable(GroupVersionResource),
    /// What the server speaks there is no scale that is known.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// The server could not be asked, or said no.
    #[error(transparent)]
    Request(#[from] Error),
}

impl ScaleClientError {
    /// The call that failed, if it was one.
    pub fn request(&self) -> Option<&Error> {
        match self {
            Self::Request(error) => Some(error),
            _ => None,
        }
    }
}

impl ScaleClient {
    /// Through this client, and its mapper.
    pub fn new(dynamic: DynamicClient) -> Self {
        Self { dynamic }
    }

    fn mapper(&self) -> &DeferredRestMapper {
        self.dynamic.mapper()
    }

    /// The replicas of an object; `namespace` is empty for one of the cluster.
    pub async fn get(
        &self,
        resource: &GroupResource,
        namespace: &str,
        name: &str,
    ) -> Result<Scale, ScaleClientError> {
        let (scale, kind) = self.scale_of(resource, namespace, name).await?;
        Ok(read(scale.get().await?, &kind)?)
    }

    /// Sets the replicas, of the object that the scale names. With a `resourceVersion`, only if the object has not
    /// changed since.
    pub async fn update(&self, resource: &GroupResource, scale: &Scale) -> Result<Scale, ScaleClientError> {
        let (namespace, name) = (scale.object.namespace(), scale.object.name());
        let (place, kind) = self.scale_of(resource, namespace, name).await?;
        Ok(read(place.update(scale.to_version(&kind)?).await?, &kind)?)
    }

    /// Changes a scale in part.
    pub async fn patch(
        &self,
        resource: &GroupResource,
        namespace: &str,
        name: &str,
        patch: &Patch,
    ) -> Result<Scale, ScaleClientError> {
        let (scale, kind) = self.scale_of(resource, namespace, name).await?;
        Ok(read(scale.patch(patch).await?, &kind)?)
    }

    /// Where an object's scale is, and its kind.
    async fn scale_of(
        &self,
        resource: &GroupResource,
        namespace: &str,
        name: &str,
    ) -> Result<(DynamicSubresource, GroupVersionKind), ScaleClientError> {
        let mapping: Arc<RestMapping> =
            self.mapper().resource_for(&resource.with_version(Str::EMPTY)).await?;
        let Some(scale) = mapping.subresource("scale") else {
            return Err(ScaleClientError::NotScalable(mapping.resource.clone()));
        };
        let api = self.dynamic.mapped(&mapping);
        let api = if namespace.is_empty() { api } else { api.namespace(namespace) };
        Ok((api.subresource(name, ["scale"]), scale.kind.clone()))
    }
}

fn read(mut object: Unstructured, kind: &GroupVersionKind) -> Result<Scale, ScaleError> {
    if object.kind().is_empty() {
        object.set_api_version(kind.api_version());
        object.set_kind(kind.kind.clone());
    }
    Scale::from_object(object)
}
