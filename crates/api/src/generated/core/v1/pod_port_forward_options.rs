// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [PodPortForwardOptions](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podportforwardoptions-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodPortForwardOptions {
    pub ports: List<i32>,
}

impl PodPortForwardOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { ports: List::EMPTY };
}

client_rs_machinery::message!(PodPortForwardOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodPortForwardOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodPortForwardOptions", everywhere: false }),
    fields: &[Field::new("ports", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodPortForwardOptions {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.ports,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.ports,
            _ => return None,
        })
    }
}
