// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [StatefulSetOrdinals](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetordinals-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetOrdinals {
    pub start: i32,
}

impl StatefulSetOrdinals {
    /// Every field empty.
    pub const EMPTY: Self = Self { start: 0 };
}

client_rs_machinery::message!(StatefulSetOrdinals, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSetOrdinals",
    type_meta: None,
    fields: &[Field::new("start", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for StatefulSetOrdinals {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.start,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.start,
            _ => return None,
        })
    }
}
