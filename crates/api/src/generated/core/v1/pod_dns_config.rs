// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodDNSConfigOption;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [PodDNSConfig](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddnsconfig-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodDNSConfig {
    pub nameservers: List<Str>,
    pub searches: List<Str>,
    pub options: List<PodDNSConfigOption>,
}

impl PodDNSConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { nameservers: List::EMPTY, searches: List::EMPTY, options: List::EMPTY };
}

client_rs_machinery::message!(PodDNSConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodDNSConfig",
    type_meta: None,
    fields: &[
        Field::new("nameservers", Flags::OMIT_EMPTY),
        Field::new("searches", Flags::OMIT_EMPTY),
        Field::new("options", Flags::OMIT_EMPTY).of::<PodDNSConfigOption>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodDNSConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.nameservers,
            1 => &self.searches,
            2 => &self.options,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.nameservers,
            1 => &mut self.searches,
            2 => &mut self.options,
            _ => return None,
        })
    }
}
