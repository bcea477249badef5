// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Quantity};

/// [VolumeResourceRequirements](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeresourcerequirements-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeResourceRequirements {
    pub limits: Map<Quantity>,
    pub requests: Map<Quantity>,
}

impl VolumeResourceRequirements {
    /// Every field empty.
    pub const EMPTY: Self = Self { limits: Map::EMPTY, requests: Map::EMPTY };
}

client_rs_machinery::message!(VolumeResourceRequirements, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeResourceRequirements",
    type_meta: None,
    fields: &[Field::new("limits", Flags::OMIT_EMPTY), Field::new("requests", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for VolumeResourceRequirements {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.limits,
            1 => &self.requests,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.limits,
            1 => &mut self.requests,
            _ => return None,
        })
    }
}
