// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`Rule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rule-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Rule {
    /// [`apiGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rule-v1-admissionregistration-k8s-io): optional.
    pub api_groups: List<Str>,
    /// [`apiVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rule-v1-admissionregistration-k8s-io): optional.
    pub api_versions: List<Str>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rule-v1-admissionregistration-k8s-io): optional.
    pub resources: List<Str>,
    /// [`scope`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rule-v1-admissionregistration-k8s-io): optional. One of `*`, `Cluster`, `Namespaced`. Defaults to `*`.
    pub scope: Option<Str>,
}

impl Rule {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { api_groups: List::EMPTY, api_versions: List::EMPTY, resources: List::EMPTY, scope: None };
}

client_rs_machinery::message!(Rule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Rule",
    type_meta: None,
    fields: &[
        Field::new("apiGroups", Flags::OMIT_EMPTY),
        Field::new("apiVersions", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY),
        Field::new("scope", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for Rule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_groups),
            1 => FieldRef::value(&self.api_versions),
            2 => FieldRef::value(&self.resources),
            3 => FieldRef::value(&self.scope),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_groups),
            1 => FieldMut::value(&mut self.api_versions),
            2 => FieldMut::value(&mut self.resources),
            3 => FieldMut::value(&mut self.scope),
            _ => FieldMut::NONE,
        }
    }
}
