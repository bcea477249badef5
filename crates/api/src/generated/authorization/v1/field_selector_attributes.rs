// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::FieldSelectorRequirement;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`FieldSelectorAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fieldselectorattributes-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct FieldSelectorAttributes {
    /// [`rawSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fieldselectorattributes-v1-authorization-k8s-io): optional.
    pub raw_selector: Str,
    /// [`requirements`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fieldselectorattributes-v1-authorization-k8s-io): optional. Apply replaces the list.
    pub requirements: List<FieldSelectorRequirement>,
}

impl FieldSelectorAttributes {
    /// Every field empty.
    pub const EMPTY: Self = Self { raw_selector: Str::EMPTY, requirements: List::EMPTY };
}

client_rs_machinery::message!(FieldSelectorAttributes, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FieldSelectorAttributes",
    type_meta: None,
    fields: &[
        Field::new("rawSelector", Flags::OMIT_EMPTY),
        Field::new("requirements", Flags::OMIT_EMPTY).of::<FieldSelectorRequirement>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for FieldSelectorAttributes {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.raw_selector),
            1 => FieldRef::list(&self.requirements),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.raw_selector),
            1 => FieldMut::list(&mut self.requirements),
            _ => FieldMut::NONE,
        }
    }
}
