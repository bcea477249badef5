// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AllocatedDeviceStatus;
use super::AllocationResult;
use super::ResourceClaimConsumerReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared};

/// [ResourceClaimStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimstatus-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaimStatus {
    pub allocation: Option<Shared<AllocationResult>>,
    pub reserved_for: List<ResourceClaimConsumerReference>,
    pub devices: List<AllocatedDeviceStatus>,
}

impl ResourceClaimStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { allocation: None, reserved_for: List::EMPTY, devices: List::EMPTY };
}

client_rs_machinery::message!(ResourceClaimStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaimStatus",
    type_meta: None,
    fields: &[
        Field::new("allocation", Flags::OMIT_EMPTY).of::<AllocationResult>(),
        Field::new("reservedFor", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ResourceClaimConsumerReference>()
            .merged_by("uid"),
        Field::new("devices", Flags::OMIT_EMPTY).of::<AllocatedDeviceStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(4, 2)],
};

impl Fields for ResourceClaimStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.allocation,
            1 => &self.reserved_for,
            2 => &self.devices,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.allocation,
            1 => &mut self.reserved_for,
            2 => &mut self.devices,
            _ => return None,
        })
    }
}
