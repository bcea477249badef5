// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `rbac.authorization.k8s.io/v1beta1`.

use client_rs_api::rbac::v1beta1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `rbac.authorization.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct RbacV1beta1 {
    rest: RestClient,
}

impl RbacV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `clusterrolebindings`. Not served by the pinned API server.
    #[inline]
    pub fn cluster_role_bindings(&self) -> Api<ClusterRoleBinding> {
        Api::cluster(&self.rest)
    }

    /// `clusterroles`. Not served by the pinned API server.
    #[inline]
    pub fn cluster_roles(&self) -> Api<ClusterRole> {
        Api::cluster(&self.rest)
    }

    /// `rolebindings` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn role_bindings<W: Within>(&self, namespace: W) -> Api<RoleBinding, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `roles` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn roles<W: Within>(&self, namespace: W) -> Api<Role, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
