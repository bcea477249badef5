// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ContainerResizePolicy](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresizepolicy-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerResizePolicy {
    pub resource_name: Str,
    pub restart_policy: Str,
}

impl ContainerResizePolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource_name: Str::EMPTY, restart_policy: Str::EMPTY };
}

client_rs_machinery::message!(ContainerResizePolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerResizePolicy",
    type_meta: None,
    fields: &[Field::new("resourceName", Flags::NONE), Field::new("restartPolicy", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerResizePolicy {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.resource_name,
            1 => &self.restart_policy,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.resource_name,
            1 => &mut self.restart_policy,
            _ => return None,
        })
    }
}
