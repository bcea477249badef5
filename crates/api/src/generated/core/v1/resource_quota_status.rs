// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Quantity};

/// [ResourceQuotaStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequotastatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceQuotaStatus {
    pub hard: Map<Quantity>,
    pub used: Map<Quantity>,
}

impl ResourceQuotaStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { hard: Map::EMPTY, used: Map::EMPTY };
}

client_rs_machinery::message!(ResourceQuotaStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceQuotaStatus",
    type_meta: None,
    fields: &[Field::new("hard", Flags::OMIT_EMPTY), Field::new("used", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceQuotaStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.hard,
            1 => &self.used,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.hard,
            1 => &mut self.used,
            _ => return None,
        })
    }
}
