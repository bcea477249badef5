// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [Capabilities](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capabilities-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Capabilities {
    pub add: List<Str>,
    pub drop: List<Str>,
}

impl Capabilities {
    /// Every field empty.
    pub const EMPTY: Self = Self { add: List::EMPTY, drop: List::EMPTY };
}

client_rs_machinery::message!(Capabilities, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Capabilities",
    type_meta: None,
    fields: &[Field::new("add", Flags::OMIT_EMPTY), Field::new("drop", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Capabilities {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.add,
            1 => &self.drop,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.add,
            1 => &mut self.drop,
            _ => return None,
        })
    }
}
