// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceSubresourceScale;
use super::CustomResourceSubresourceStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `CustomResourceSubresources` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceSubresources {
    /// `status`: optional.
    pub status: Option<Shared<CustomResourceSubresourceStatus>>,
    /// `scale`: optional.
    pub scale: Option<Shared<CustomResourceSubresourceScale>>,
}

impl CustomResourceSubresources {
    /// Every field empty.
    pub const EMPTY: Self = Self { status: None, scale: None };
}

client_rs_machinery::message!(CustomResourceSubresources, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceSubresources",
    type_meta: None,
    fields: &[
        Field::new("status", Flags::OMIT_EMPTY).of::<CustomResourceSubresourceStatus>(),
        Field::new("scale", Flags::OMIT_EMPTY).of::<CustomResourceSubresourceScale>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for CustomResourceSubresources {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.status),
            1 => FieldRef::optional(&self.scale),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.status),
            1 => FieldMut::optional(&mut self.scale),
            _ => FieldMut::NONE,
        }
    }
}
