// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ImageReviewContainerSpec;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Str};

/// `ImageReviewSpec` of `imagepolicy.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ImageReviewSpec {
    /// `containers`: optional. Apply replaces the list.
    pub containers: List<ImageReviewContainerSpec>,
    /// `annotations`: optional.
    pub annotations: Map<Str>,
    /// `namespace`: optional.
    pub namespace: Str,
}

impl ImageReviewSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { containers: List::EMPTY, annotations: Map::EMPTY, namespace: Str::EMPTY };
}

client_rs_machinery::message!(ImageReviewSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageReviewSpec",
    type_meta: None,
    fields: &[
        Field::new("containers", Flags::OMIT_EMPTY).of::<ImageReviewContainerSpec>(),
        Field::new("annotations", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ImageReviewSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.containers),
            1 => FieldRef::value(&self.annotations),
            2 => FieldRef::value(&self.namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.containers),
            1 => FieldMut::value(&mut self.annotations),
            2 => FieldMut::value(&mut self.namespace),
            _ => FieldMut::NONE,
        }
    }
}
