// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Counter;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Str};

/// [DeviceCounterConsumption](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecounterconsumption-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceCounterConsumption {
    pub counter_set: Str,
    pub counters: Map<Counter>,
    pub compatibility_groups: List<Str>,
}

impl DeviceCounterConsumption {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { counter_set: Str::EMPTY, counters: Map::EMPTY, compatibility_groups: List::EMPTY };
}

client_rs_machinery::message!(DeviceCounterConsumption, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceCounterConsumption",
    type_meta: None,
    fields: &[
        Field::new("counterSet", Flags::NONE),
        Field::new("counters", Flags::OMIT_EMPTY).of::<Counter>(),
        Field::new("compatibilityGroups", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DeviceCounterConsumption {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.counter_set,
            1 => &self.counters,
            2 => &self.compatibility_groups,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.counter_set,
            1 => &mut self.counters,
            2 => &mut self.compatibility_groups,
            _ => return None,
        })
    }
}
