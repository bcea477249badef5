// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, RawExtension, Str};

/// `ConversionRequest` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ConversionRequest {
    /// `uid`: optional.
    pub uid: Str,
    /// `desiredAPIVersion`: optional.
    pub desired_api_version: Str,
    /// `objects`: optional. Apply replaces the list.
    pub objects: List<RawExtension>,
}

impl ConversionRequest {
    /// Every field empty.
    pub const EMPTY: Self = Self { uid: Str::EMPTY, desired_api_version: Str::EMPTY, objects: List::EMPTY };
}

client_rs_machinery::message!(ConversionRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConversionRequest",
    type_meta: None,
    fields: &[
        Field::new("uid", Flags::NONE),
        Field::new("desiredAPIVersion", Flags::NONE),
        Field::new("objects", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ConversionRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            1 => FieldRef::value(&self.desired_api_version),
            2 => FieldRef::value(&self.objects),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            1 => FieldMut::value(&mut self.desired_api_version),
            2 => FieldMut::value(&mut self.objects),
            _ => FieldMut::NONE,
        }
    }
}
