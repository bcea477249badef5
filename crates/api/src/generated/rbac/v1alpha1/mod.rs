// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/rbac/v1alpha1`.

mod aggregation_rule;
mod cluster_role;
mod cluster_role_binding;
mod cluster_role_binding_list;
mod cluster_role_list;
mod policy_rule;
mod role;
mod role_binding;
mod role_binding_list;
mod role_list;
mod role_ref;
mod subject;

pub use aggregation_rule::AggregationRule;
pub use cluster_role::ClusterRole;
pub use cluster_role_binding::ClusterRoleBinding;
pub use cluster_role_binding_list::ClusterRoleBindingList;
pub use cluster_role_list::ClusterRoleList;
pub use policy_rule::PolicyRule;
pub use role::Role;
pub use role_binding::RoleBinding;
pub use role_binding_list::RoleBindingList;
pub use role_list::RoleList;
pub use role_ref::RoleRef;
pub use subject::Subject;
