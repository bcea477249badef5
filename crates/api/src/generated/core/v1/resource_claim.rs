// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ResourceClaim](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaim {
    pub name: Str,
    pub request: Str,
}

impl ResourceClaim {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, request: Str::EMPTY };
}

client_rs_machinery::message!(ResourceClaim, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaim",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("request", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceClaim {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.request,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.request,
            _ => return None,
        })
    }
}
