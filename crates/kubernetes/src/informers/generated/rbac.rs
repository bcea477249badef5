// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `rbac`.

use client_rs_api::rbac::{v1, v1alpha1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "rbac" {
    v1: V1,
    v1alpha1: V1alpha1,
    v1beta1: V1beta1,
});

version!(V1 of "rbac/v1" {
    cluster_role_bindings: v1::ClusterRoleBinding,
    cluster_roles: v1::ClusterRole,
    role_bindings: v1::RoleBinding,
    roles: v1::Role,
});

version!(V1alpha1 of "rbac/v1alpha1" {
    cluster_role_bindings: v1alpha1::ClusterRoleBinding,
    cluster_roles: v1alpha1::ClusterRole,
    role_bindings: v1alpha1::RoleBinding,
    roles: v1alpha1::Role,
});

version!(V1beta1 of "rbac/v1beta1" {
    cluster_role_bindings: v1beta1::ClusterRoleBinding,
    cluster_roles: v1beta1::ClusterRole,
    role_bindings: v1beta1::RoleBinding,
    roles: v1beta1::Role,
});
