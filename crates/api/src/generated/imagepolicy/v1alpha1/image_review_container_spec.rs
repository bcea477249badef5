// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ImageReviewContainerSpec` of `imagepolicy.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ImageReviewContainerSpec {
    /// `image`: optional.
    pub image: Str,
}

impl ImageReviewContainerSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { image: Str::EMPTY };
}

client_rs_machinery::message!(ImageReviewContainerSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageReviewContainerSpec",
    type_meta: None,
    fields: &[Field::new("image", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ImageReviewContainerSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.image),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.image),
            _ => FieldMut::NONE,
        }
    }
}
