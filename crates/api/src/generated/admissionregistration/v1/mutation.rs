// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ApplyConfiguration;
use super::JSONPatch;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`Mutation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutation-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Mutation {
    /// [`patchType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutation-v1-admissionregistration-k8s-io): required. One of `ApplyConfiguration`, `JSONPatch`.
    pub patch_type: Str,
    /// [`applyConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutation-v1-admissionregistration-k8s-io): optional.
    pub apply_configuration: Option<Shared<ApplyConfiguration>>,
    /// [`jsonPatch`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutation-v1-admissionregistration-k8s-io): optional.
    pub json_patch: Option<Shared<JSONPatch>>,
}

impl Mutation {
    /// Every field empty.
    pub const EMPTY: Self = Self { patch_type: Str::EMPTY, apply_configuration: None, json_patch: None };
}

client_rs_machinery::message!(Mutation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Mutation",
    type_meta: None,
    fields: &[
        Field::new("patchType", Flags::NONE),
        Field::new("applyConfiguration", Flags::OMIT_EMPTY).of::<ApplyConfiguration>(),
        Field::new("jsonPatch", Flags::OMIT_EMPTY).of::<JSONPatch>(),
    ],
    wire: &[Wire::field(2, 0), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for Mutation {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.patch_type),
            1 => FieldRef::optional(&self.apply_configuration),
            2 => FieldRef::optional(&self.json_patch),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.patch_type),
            1 => FieldMut::optional(&mut self.apply_configuration),
            2 => FieldMut::optional(&mut self.json_patch),
            _ => FieldMut::NONE,
        }
    }
}
