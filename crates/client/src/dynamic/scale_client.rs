//! A client for the scale of any resource.

use client_rs_machinery::patch::Patch;
use client_rs_machinery::{GroupResource, GroupVersionKind, GroupVersionResource, Str, Unstructured};
use std::sync::Arc;

use super::handle::DynamicSubresource;
use super::{DynamicClient, Scale, ScaleError};
use crate::Error;
use crate::discovery::{DeferredRestMapper, MapError, RestMapping};

/// Reads and sets the number of replicas of any resource with a `scale` subresource: deployments, stateful sets, custom resources.
///
/// Name the resource without a version. The mapper finds the preferred version and the version of its scale by discovery, which runs
/// once and not per call. For a typed kind, [`Api::scale`](crate::Api::scale) needs no discovery. Dropping a future cancels its
/// request.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::{DynamicClient, testing::Canned};
/// use client_rs_client::ScaleClient;
/// use client_rs_machinery::GroupResource;
///
/// # let scale = r#"{"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": "web", "namespace": "shop"},
/// #     "spec": {"replicas": 2}}"#;
/// # let server = Canned::new()
/// #     .with_discovery()
/// #     .on("GET /apis/apps/v1/namespaces/shop/deployments/web/scale", scale)
/// #     .echo("PUT /apis/apps/v1/namespaces/shop/deployments/web/scale");
/// # let dynamic = DynamicClient::from_rest(server.client());
/// let scales = ScaleClient::new(dynamic);
/// let deployments = GroupResource::new("apps", "deployments");
/// let mut scale = scales.get(&deployments, "shop", "web").await?;
/// scale.set_replicas(scale.replicas() + 1);
/// assert_eq!(scales.update(&deployments, &scale).await?.replicas(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ScaleClient {
    dynamic: DynamicClient,
}

/// The reason why a scale could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleClientError {
    /// The resource was not found.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The resource has no `scale` subresource. A custom resource gets one from `subresources.scale` in its definition.
    #[error("{0} have no scale subresource")]
    NotScalable(GroupVersionResource),
    /// The server uses an unknown version of `Scale`.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// The request failed.
    #[error(transparent)]
    Request(#[from] Error),
}

impl ScaleClientError {
    /// The failed request, if that is the reason.
    pub fn request(&self) -> Option<&Error> {
        match self {
            Self::Request(error) => Some(error),
            _ => None,
        }
    }
}

impl ScaleClient {
    /// Uses this client and its mapper.
    pub fn new(dynamic: DynamicClient) -> Self {
        Self { dynamic }
    }

    fn mapper(&self) -> &DeferredRestMapper {
        self.dynamic.mapper()
    }

    /// Reads the scale of an object. `namespace` is empty for a cluster-scoped resource.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, ScaleClient, testing::Canned};
    /// # use client_rs_machinery::GroupResource;
    /// use client_rs_client::dynamic::ScaleClientError;
    ///
    /// # let server = Canned::new().with_discovery();
    /// # let scales = ScaleClient::new(DynamicClient::from_rest(server.client()));
    /// let error = scales.get(&GroupResource::new("", "pods"), "shop", "web").await.unwrap_err();
    /// assert!(matches!(error, ScaleClientError::NotScalable(_)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ScaleClientError::NotScalable`] if the resource has no `scale` subresource, [`ScaleClientError::Request`] if the object was not
    /// found.
    pub async fn get(
        &self,
        resource: &GroupResource,
        namespace: &str,
        name: &str,
    ) -> Result<Scale, ScaleClientError> {
        let (scale, kind) = self.scale_of(resource, namespace, name).await?;
        Ok(read(scale.get().await?, &kind)?)
    }

    /// Sets the number of replicas of the object that the scale names. With a `resourceVersion`, only if the object has not changed.
    pub async fn update(&self, resource: &GroupResource, scale: &Scale) -> Result<Scale, ScaleClientError> {
        let (namespace, name) = (scale.object.namespace(), scale.object.name());
        let (place, kind) = self.scale_of(resource, namespace, name).await?;
        Ok(read(place.update(scale.to_version(&kind)?).await?, &kind)?)
    }

    /// Changes parts of a scale.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, ScaleClient, testing::Canned};
    /// # use client_rs_machinery::{GroupResource, json, patch::Patch};
    /// # let server = Canned::new().with_discovery().on("PATCH /apis/apps/v1/namespaces/shop/deployments/web/scale",
    /// #     r#"{"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 0}}"#);
    /// # let scales = ScaleClient::new(DynamicClient::from_rest(server.client()));
    /// let stop = Patch::Merge(json!({"spec": {"replicas": 0}}));
    /// let scale = scales.patch(&GroupResource::new("apps", "deployments"), "shop", "web", &stop).await?;
    /// assert_eq!(scale.replicas(), 0);
    /// # Ok(())
    /// # }
    /// ```
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

    /// Returns a handle on the scale of an object, and its kind.
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
