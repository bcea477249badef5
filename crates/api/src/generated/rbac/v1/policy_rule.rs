// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`PolicyRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PolicyRule {
    /// [`verbs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1-rbac-authorization-k8s-io): required. Apply replaces the list.
    pub verbs: List<Str>,
    /// [`apiGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1-rbac-authorization-k8s-io): optional. Apply replaces the list.
    pub api_groups: List<Str>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1-rbac-authorization-k8s-io): optional. Apply replaces the list.
    pub resources: List<Str>,
    /// [`resourceNames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1-rbac-authorization-k8s-io): optional. Apply replaces the list.
    pub resource_names: List<Str>,
    /// [`nonResourceURLs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1-rbac-authorization-k8s-io): optional. Apply replaces the list.
    pub non_resource_urls: List<Str>,
}

impl PolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        verbs: List::EMPTY,
        api_groups: List::EMPTY,
        resources: List::EMPTY,
        resource_names: List::EMPTY,
        non_resource_urls: List::EMPTY,
    };
}

client_rs_machinery::message!(PolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PolicyRule",
    type_meta: None,
    fields: &[
        Field::new("verbs", Flags::NONE),
        Field::new("apiGroups", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY),
        Field::new("resourceNames", Flags::OMIT_EMPTY),
        Field::new("nonResourceURLs", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for PolicyRule {
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
            3 => FieldRef::value(&self.resource_names),
            4 => FieldRef::value(&self.non_resource_urls),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.verbs),
            1 => FieldMut::value(&mut self.api_groups),
            2 => FieldMut::value(&mut self.resources),
            3 => FieldMut::value(&mut self.resource_names),
            4 => FieldMut::value(&mut self.non_resource_urls),
            _ => FieldMut::NONE,
        }
    }
}
