// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, RawExtension, Str};

/// [ConversionRequest](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#conversionrequest-v1beta1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ConversionRequest {
    pub uid: Str,
    pub desired_api_version: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.uid,
            1 => &self.desired_api_version,
            2 => &self.objects,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.uid,
            1 => &mut self.desired_api_version,
            2 => &mut self.objects,
            _ => return None,
        })
    }
}
