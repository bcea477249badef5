// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceDefinitionCondition;
use super::CustomResourceDefinitionNames;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`CustomResourceDefinitionStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionstatus-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionstatus-v1-apiextensions-k8s-io): optional. Apply merges entries by `type`.
    pub conditions: List<CustomResourceDefinitionCondition>,
    /// [`acceptedNames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionstatus-v1-apiextensions-k8s-io): optional.
    pub accepted_names: Shared<CustomResourceDefinitionNames>,
    /// [`storedVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionstatus-v1-apiextensions-k8s-io): optional. Apply replaces the list.
    pub stored_versions: List<Str>,
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionstatus-v1-apiextensions-k8s-io): optional, since 1.35. Feature gate `CRDObservedGenerationTracking`.
    pub observed_generation: i64,
}

impl CustomResourceDefinitionStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        conditions: List::EMPTY,
        accepted_names: Shared::DEFAULT,
        stored_versions: List::EMPTY,
        observed_generation: 0,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::NONE).of::<CustomResourceDefinitionCondition>(),
        Field::new("acceptedNames", Flags::NONE).of::<CustomResourceDefinitionNames>(),
        Field::new("storedVersions", Flags::NONE),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for CustomResourceDefinitionStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::shared(&self.accepted_names),
            2 => FieldRef::value(&self.stored_versions),
            3 => FieldRef::value(&self.observed_generation),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::shared(&mut self.accepted_names),
            2 => FieldMut::value(&mut self.stored_versions),
            3 => FieldMut::value(&mut self.observed_generation),
            _ => FieldMut::NONE,
        }
    }
}
