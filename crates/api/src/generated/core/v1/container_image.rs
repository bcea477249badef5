// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [ContainerImage](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerimage-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerImage {
    pub names: List<Str>,
    pub size_bytes: i64,
}

impl ContainerImage {
    /// Every field empty.
    pub const EMPTY: Self = Self { names: List::EMPTY, size_bytes: 0 };
}

client_rs_machinery::message!(ContainerImage, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerImage",
    type_meta: None,
    fields: &[Field::new("names", Flags::NONE), Field::new("sizeBytes", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerImage {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.names,
            1 => &self.size_bytes,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.names,
            1 => &mut self.size_bytes,
            _ => return None,
        })
    }
}
