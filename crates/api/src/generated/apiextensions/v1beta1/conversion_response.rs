// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, RawExtension, Shared, Str};

/// `ConversionResponse` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ConversionResponse {
    /// `uid`: optional.
    pub uid: Str,
    /// `convertedObjects`: optional. Apply replaces the list.
    pub converted_objects: List<RawExtension>,
    /// `result`: optional.
    pub result: Shared<Status>,
}

impl ConversionResponse {
    /// Every field empty.
    pub const EMPTY: Self = Self { uid: Str::EMPTY, converted_objects: List::EMPTY, result: Shared::DEFAULT };
}

client_rs_machinery::message!(ConversionResponse, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConversionResponse",
    type_meta: None,
    fields: &[
        Field::new("uid", Flags::NONE),
        Field::new("convertedObjects", Flags::NONE),
        Field::new("result", Flags::NONE).of::<Status>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ConversionResponse {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            1 => FieldRef::value(&self.converted_objects),
            2 => FieldRef::shared(&self.result),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            1 => FieldMut::value(&mut self.converted_objects),
            2 => FieldMut::shared(&mut self.result),
            _ => FieldMut::NONE,
        }
    }
}
