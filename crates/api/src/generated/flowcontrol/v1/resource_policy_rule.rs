// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ResourcePolicyRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourcePolicyRule {
    /// [`verbs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io): required. Apply merges entries.
    pub verbs: List<Str>,
    /// [`apiGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io): required. Apply merges entries.
    pub api_groups: List<Str>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io): required. Apply merges entries.
    pub resources: List<Str>,
    /// [`clusterScope`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io): optional.
    pub cluster_scope: bool,
    /// [`namespaces`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io): optional. Apply merges entries.
    pub namespaces: List<Str>,
}

impl ResourcePolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        verbs: List::EMPTY,
        api_groups: List::EMPTY,
        resources: List::EMPTY,
        cluster_scope: false,
        namespaces: List::EMPTY,
    };
}

client_rs_machinery::message!(ResourcePolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePolicyRule",
    type_meta: None,
    fields: &[
        Field::new("verbs", Flags::NONE),
        Field::new("apiGroups", Flags::NONE),
        Field::new("resources", Flags::NONE),
        Field::new("clusterScope", Flags::OMIT_EMPTY),
        Field::new("namespaces", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ResourcePolicyRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.verbs),
            1 => FieldRef::value(&self.api_groups),
            2 => FieldRef::value(&self.resources),
            3 => FieldRef::value(&self.cluster_scope),
            4 => FieldRef::value(&self.namespaces),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.verbs),
            1 => FieldMut::value(&mut self.api_groups),
            2 => FieldMut::value(&mut self.resources),
            3 => FieldMut::value(&mut self.cluster_scope),
            4 => FieldMut::value(&mut self.namespaces),
            _ => FieldMut::NONE,
        }
    }
}
