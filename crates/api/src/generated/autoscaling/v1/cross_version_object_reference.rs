// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [CrossVersionObjectReference](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#crossversionobjectreference-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct CrossVersionObjectReference {
    pub kind: Str,
    pub name: Str,
    pub api_version: Str,
}

impl CrossVersionObjectReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { kind: Str::EMPTY, name: Str::EMPTY, api_version: Str::EMPTY };
}

client_rs_machinery::message!(CrossVersionObjectReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CrossVersionObjectReference",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("apiVersion", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CrossVersionObjectReference {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.kind,
            1 => &self.name,
            2 => &self.api_version,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.kind,
            1 => &mut self.name,
            2 => &mut self.api_version,
            _ => return None,
        })
    }
}
