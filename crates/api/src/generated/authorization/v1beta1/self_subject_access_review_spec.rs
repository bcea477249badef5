// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NonResourceAttributes;
use super::ResourceAttributes;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `SelfSubjectAccessReviewSpec` of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectAccessReviewSpec {
    /// `resourceAttributes`: optional.
    pub resource_attributes: Option<Shared<ResourceAttributes>>,
    /// `nonResourceAttributes`: optional.
    pub non_resource_attributes: Option<Shared<NonResourceAttributes>>,
}

impl SelfSubjectAccessReviewSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource_attributes: None, non_resource_attributes: None };
}

client_rs_machinery::message!(SelfSubjectAccessReviewSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelfSubjectAccessReviewSpec",
    type_meta: None,
    fields: &[
        Field::new("resourceAttributes", Flags::OMIT_EMPTY).of::<ResourceAttributes>(),
        Field::new("nonResourceAttributes", Flags::OMIT_EMPTY).of::<NonResourceAttributes>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for SelfSubjectAccessReviewSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.resource_attributes),
            1 => FieldRef::optional(&self.non_resource_attributes),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.resource_attributes),
            1 => FieldMut::optional(&mut self.non_resource_attributes),
            _ => FieldMut::NONE,
        }
    }
}
