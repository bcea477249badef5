// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourceClaim;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Quantity};

/// [ResourceRequirements](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcerequirements-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceRequirements {
    pub limits: Map<Quantity>,
    pub requests: Map<Quantity>,
    pub claims: List<ResourceClaim>,
}

impl ResourceRequirements {
    /// Every field empty.
    pub const EMPTY: Self = Self { limits: Map::EMPTY, requests: Map::EMPTY, claims: List::EMPTY };
}

client_rs_machinery::message!(ResourceRequirements, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceRequirements",
    type_meta: None,
    fields: &[
        Field::new("limits", Flags::OMIT_EMPTY),
        Field::new("requests", Flags::OMIT_EMPTY),
        Field::new("claims", Flags::OMIT_EMPTY).of::<ResourceClaim>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceRequirements {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.limits,
            1 => &self.requests,
            2 => &self.claims,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.limits,
            1 => &mut self.requests,
            2 => &mut self.claims,
            _ => return None,
        })
    }
}
