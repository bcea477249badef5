// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [ServiceCIDRSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicecidrspec-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceCIDRSpec {
    pub cidrs: List<Str>,
}

impl ServiceCIDRSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { cidrs: List::EMPTY };
}

client_rs_machinery::message!(ServiceCIDRSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceCIDRSpec",
    type_meta: None,
    fields: &[Field::new("cidrs", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ServiceCIDRSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.cidrs,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.cidrs,
            _ => return None,
        })
    }
}
