// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ImageReviewContainerSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagereviewcontainerspec-v1alpha1-imagepolicy-k8s-io) of `imagepolicy.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ImageReviewContainerSpec {
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.image,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.image,
            _ => return None,
        })
    }
}
