// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`NodeAllocatableMapping`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemapping-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct NodeAllocatableMapping {
    /// [`capacityKey`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemapping-v1beta2-resource-k8s-io): optional.
    pub capacity_key: Option<Str>,
    /// [`capacityMultiplier`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemapping-v1beta2-resource-k8s-io): optional.
    pub capacity_multiplier: Option<Quantity>,
    /// [`deviceMultiplier`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemapping-v1beta2-resource-k8s-io): optional.
    pub device_multiplier: Option<Quantity>,
}

impl NodeAllocatableMapping {
    /// Every field empty.
    pub const EMPTY: Self = Self { capacity_key: None, capacity_multiplier: None, device_multiplier: None };
}

client_rs_machinery::message!(NodeAllocatableMapping, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAllocatableMapping",
    type_meta: None,
    fields: &[
        Field::new("capacityKey", Flags::OMIT_EMPTY),
        Field::new("capacityMultiplier", Flags::OMIT_EMPTY),
        Field::new("deviceMultiplier", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for NodeAllocatableMapping {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.capacity_key),
            1 => FieldRef::value(&self.capacity_multiplier),
            2 => FieldRef::value(&self.device_multiplier),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.capacity_key),
            1 => FieldMut::value(&mut self.capacity_multiplier),
            2 => FieldMut::value(&mut self.device_multiplier),
            _ => FieldMut::NONE,
        }
    }
}
