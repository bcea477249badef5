// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ResourcePool](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepool-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct ResourcePool {
    pub name: Str,
    pub generation: i64,
    pub resource_slice_count: i64,
}

impl ResourcePool {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, generation: 0, resource_slice_count: 0 };
}

client_rs_machinery::message!(ResourcePool, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePool",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("generation", Flags::NONE),
        Field::new("resourceSliceCount", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourcePool {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.generation,
            2 => &self.resource_slice_count,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.generation,
            2 => &mut self.resource_slice_count,
            _ => return None,
        })
    }
}
