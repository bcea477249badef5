// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, RawExtension, Shared, Str};

/// [ConversionResponse](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#conversionresponse-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ConversionResponse {
    pub uid: Str,
    pub converted_objects: List<RawExtension>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.uid,
            1 => &self.converted_objects,
            2 => &self.result,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.uid,
            1 => &mut self.converted_objects,
            2 => &mut self.result,
            _ => return None,
        })
    }
}
