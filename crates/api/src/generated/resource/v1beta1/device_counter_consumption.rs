// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Counter;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Str};

/// [`DeviceCounterConsumption`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecounterconsumption-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceCounterConsumption {
    /// [`counterSet`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecounterconsumption-v1beta1-resource-k8s-io): required. A DNS label.
    pub counter_set: Str,
    /// [`counters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecounterconsumption-v1beta1-resource-k8s-io): required.
    pub counters: Map<Counter>,
    /// [`compatibilityGroups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecounterconsumption-v1beta1-resource-k8s-io): optional, since 1.37. At most 2 entries. Apply replaces the list. Feature gate `DRADeviceCompatibilityGroups`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.counter_set),
            1 => FieldRef::value(&self.counters),
            2 => FieldRef::value(&self.compatibility_groups),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.counter_set),
            1 => FieldMut::value(&mut self.counters),
            2 => FieldMut::value(&mut self.compatibility_groups),
            _ => FieldMut::NONE,
        }
    }
}
