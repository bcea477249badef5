// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CapacityRequestPolicy;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Shared};

/// [`DeviceCapacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecapacity-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceCapacity {
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecapacity-v1beta2-resource-k8s-io): required.
    pub value: Quantity,
    /// [`requestPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicecapacity-v1beta2-resource-k8s-io): optional, since 1.34. Feature gate `DRAConsumableCapacity`.
    pub request_policy: Option<Shared<CapacityRequestPolicy>>,
}

impl DeviceCapacity {
    /// Every field empty.
    pub const EMPTY: Self = Self { value: Quantity::ZERO, request_policy: None };
}

client_rs_machinery::message!(DeviceCapacity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceCapacity",
    type_meta: None,
    fields: &[
        Field::new("value", Flags::NONE),
        Field::new("requestPolicy", Flags::OMIT_EMPTY).of::<CapacityRequestPolicy>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for DeviceCapacity {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.value),
            1 => FieldRef::optional(&self.request_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.value),
            1 => FieldMut::optional(&mut self.request_policy),
            _ => FieldMut::NONE,
        }
    }
}
