// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ParentReference;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `IPAddressSpec` of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IPAddressSpec {
    /// `parentRef`: required, immutable.
    pub parent_ref: Option<Shared<ParentReference>>,
}

impl IPAddressSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { parent_ref: None };
}

client_rs_machinery::message!(IPAddressSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IPAddressSpec",
    type_meta: None,
    fields: &[Field::new("parentRef", Flags::OMIT_EMPTY).of::<ParentReference>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for IPAddressSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.parent_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.parent_ref),
            _ => FieldMut::NONE,
        }
    }
}
