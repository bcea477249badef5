// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [VolumeNodeResources](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumenoderesources-v1-storage-k8s-io) of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeNodeResources {
    pub count: Option<i32>,
}

impl VolumeNodeResources {
    /// Every field empty.
    pub const EMPTY: Self = Self { count: None };
}

client_rs_machinery::message!(VolumeNodeResources, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeNodeResources",
    type_meta: None,
    fields: &[Field::new("count", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for VolumeNodeResources {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.count,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.count,
            _ => return None,
        })
    }
}
