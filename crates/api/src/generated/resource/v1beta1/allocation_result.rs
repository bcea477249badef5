// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceAllocationResult;
use crate::core::v1::NodeSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Time};

/// [`AllocationResult`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocationresult-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct AllocationResult {
    /// [`devices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocationresult-v1beta1-resource-k8s-io): optional.
    pub devices: DeviceAllocationResult,
    /// [`nodeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocationresult-v1beta1-resource-k8s-io): optional.
    pub node_selector: Option<Shared<NodeSelector>>,
    /// [`allocationTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocationresult-v1beta1-resource-k8s-io): optional, since 1.34. Feature gates `DRADeviceBindingConditions`, `DRAResourceClaimDeviceStatus`.
    pub allocation_timestamp: Option<Time>,
}

impl AllocationResult {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { devices: DeviceAllocationResult::EMPTY, node_selector: None, allocation_timestamp: None };
}

client_rs_machinery::message!(AllocationResult, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AllocationResult",
    type_meta: None,
    fields: &[
        Field::new("devices", Flags::OMIT_EMPTY).of::<DeviceAllocationResult>(),
        Field::new("nodeSelector", Flags::OMIT_EMPTY).of::<NodeSelector>(),
        Field::new("allocationTimestamp", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(3, 1), Wire::field(5, 2)],
};

impl Fields for AllocationResult {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.devices),
            1 => FieldRef::optional(&self.node_selector),
            2 => FieldRef::value(&self.allocation_timestamp),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.devices),
            1 => FieldMut::optional(&mut self.node_selector),
            2 => FieldMut::value(&mut self.allocation_timestamp),
            _ => FieldMut::NONE,
        }
    }
}
