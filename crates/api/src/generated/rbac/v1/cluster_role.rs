// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AggregationRule;
use super::PolicyRule;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{List, Shared};

/// [`ClusterRole`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clusterrole-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`. Served as `clusterroles`, cluster-scoped. Since 1.8.
#[derive(Clone, PartialEq)]
pub struct ClusterRole {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clusterrole-v1-rbac-authorization-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`rules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clusterrole-v1-rbac-authorization-k8s-io): optional. Apply replaces the list.
    pub rules: List<PolicyRule>,
    /// [`aggregationRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clusterrole-v1-rbac-authorization-k8s-io): optional.
    pub aggregation_rule: Option<Shared<AggregationRule>>,
}

impl ClusterRole {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, rules: List::EMPTY, aggregation_rule: None };
}

client_rs_machinery::message!(ClusterRole, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ClusterRole",
    type_meta: Some(TypeMeta {
        api_version: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("rules", Flags::NONE).of::<PolicyRule>(),
        Field::new("aggregationRule", Flags::OMIT_EMPTY).of::<AggregationRule>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ClusterRole {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.rules),
            2 => FieldRef::optional(&self.aggregation_rule),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.rules),
            2 => FieldMut::optional(&mut self.aggregation_rule),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ClusterRole, "rbac.authorization.k8s.io/v1", "ClusterRole");

impl client_rs_machinery::Resource for ClusterRole {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "rbac.authorization.k8s.io",
        version: "v1",
        kind: "ClusterRole",
        plural: "clusterroles",
        singular: "clusterrole",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ClusterRole: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
