//! Handles on any resource.

use std::sync::Arc;

use client_rs_machinery::{GroupVersionKind, GroupVersionResource, Object};
use client_rs_transport::Config;

use super::handle::DynamicApi;
use super::place::Place;
use crate::discovery::{DeferredRestMapper, DiscoveryClient, MapError, MemoryCache, RestMapping};
use crate::{Error, RestClient};

/// Handles on any resource, built-in or custom, by name: client-go's dynamic client.
///
/// A handle by [`resource`](Self::resource) takes the caller's word for what there is. One that is
/// [found](Self::find) knows the kind and its scope, so that a namespace too many or too few is an error before anything
/// is sent.
///
/// Cheap to clone; clones share connections, the rate limit and what was discovered.
#[derive(Clone, Debug)]
pub struct DynamicClient {
    rest: RestClient,
    mapper: DeferredRestMapper,
}

impl DynamicClient {
    /// To a config's server, as its user, with its limits.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        RestClient::from_config(config).map(Self::from_rest)
    }

    /// Over a client that exists, with a mapper of its own, which asks the server when something is first looked for.
    pub fn from_rest(rest: RestClient) -> Self {
        let discovery = DiscoveryClient::from_rest(rest.clone());
        let cache = Arc::new(MemoryCache::new(Arc::new(discovery)));
        Self { rest, mapper: DeferredRestMapper::new(cache) }
    }

    /// Looks up names with this mapper instead of its own.
    #[must_use]
    pub fn with_mapper(self, mapper: DeferredRestMapper) -> Self {
        Self { mapper, ..self }
    }

    /// The client under it.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// What looks up names.
    pub fn mapper(&self) -> &DeferredRestMapper {
        &self.mapper
    }

    /// The objects of a resource, whatever it is: of the cluster, or of all namespaces until one is
    /// [named](DynamicApi::namespace).
    pub fn resource(&self, resource: GroupVersionResource) -> DynamicApi {
        DynamicApi::new(self.rest.clone(), Place::of(resource))
    }

    /// The objects of a resource that a mapper knows.
    pub fn mapped(&self, mapping: &RestMapping) -> DynamicApi {
        DynamicApi::new(self.rest.clone(), Place::mapped(mapping))
    }

    /// What someone means who types this: `deploy`, `deployments.apps`, `Deployment.v1.apps`; see
    /// [`RestMapper::find`](crate::discovery::RestMapper::find).
    pub async fn find(&self, text: &str) -> Result<DynamicApi, MapError> {
        Ok(self.mapped(&*self.mapper.find(text).await?))
    }

    /// The resource of a kind.
    pub async fn of_kind(&self, kind: &GroupVersionKind) -> Result<DynamicApi, MapError> {
        Ok(self.mapped(&*self.mapper.mapping_of(kind).await?))
    }

    /// The resource of an object, in its namespace; in `default_namespace` if it should have one and has none.
    pub async fn of_object(
        &self,
        object: &dyn Object,
        default_namespace: &str,
    ) -> Result<DynamicApi, MapError> {
        let kind = GroupVersionKind::from_api_version(object.api_version(), object.kind());
        let mapping = self.mapper.mapping_of(&kind).await?;
        let api = self.mapped(&mapping);
        // One that is given to an object of the cluster stays, so that the request is refused and says why.
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
