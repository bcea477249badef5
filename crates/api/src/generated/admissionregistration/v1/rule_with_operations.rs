// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`RuleWithOperations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rulewithoperations-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct RuleWithOperations {
    /// [`operations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rulewithoperations-v1-admissionregistration-k8s-io): optional. One of `*`, `CONNECT`, `CREATE`, `DELETE`, `UPDATE`. Apply replaces the list.
    pub operations: List<Str>,
    /// [`apiGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rulewithoperations-v1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub api_groups: List<Str>,
    /// [`apiVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rulewithoperations-v1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub api_versions: List<Str>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rulewithoperations-v1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub resources: List<Str>,
    /// [`scope`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rulewithoperations-v1-admissionregistration-k8s-io): optional. One of `*`, `Cluster`, `Namespaced`. Defaults to `*`.
    pub scope: Option<Str>,
}

impl RuleWithOperations {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        operations: List::EMPTY,
        api_groups: List::EMPTY,
        api_versions: List::EMPTY,
        resources: List::EMPTY,
        scope: None,
    };
}

client_rs_machinery::message!(RuleWithOperations, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RuleWithOperations",
    type_meta: None,
    fields: &[
        Field::new("operations", Flags::OMIT_EMPTY),
        Field::new("apiGroups", Flags::OMIT_EMPTY),
        Field::new("apiVersions", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY),
        Field::new("scope", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::inline(2, &[Wire::field(1, 1), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 4)]),
    ],
};

impl Fields for RuleWithOperations {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.operations),
            1 => FieldRef::value(&self.api_groups),
            2 => FieldRef::value(&self.api_versions),
            3 => FieldRef::value(&self.resources),
            4 => FieldRef::value(&self.scope),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.operations),
            1 => FieldMut::value(&mut self.api_groups),
            2 => FieldMut::value(&mut self.api_versions),
            3 => FieldMut::value(&mut self.resources),
            4 => FieldMut::value(&mut self.scope),
            _ => FieldMut::NONE,
        }
    }
}
