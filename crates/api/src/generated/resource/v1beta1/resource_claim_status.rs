// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AllocatedDeviceStatus;
use super::AllocationResult;
use super::ResourceClaimConsumerReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared};

/// [`ResourceClaimStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimstatus-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaimStatus {
    /// [`allocation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimstatus-v1beta1-resource-k8s-io): optional. Updates can't change it.
    pub allocation: Option<Shared<AllocationResult>>,
    /// [`reservedFor`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimstatus-v1beta1-resource-k8s-io): optional. At most 256 entries. Apply and strategic merge patch merge entries by `uid`.
    pub reserved_for: List<ResourceClaimConsumerReference>,
    /// [`devices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimstatus-v1beta1-resource-k8s-io): optional. Apply merges entries by `driver`, `device`, `pool`, `shareID`. Feature gate `DRAResourceClaimDeviceStatus`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.allocation),
            1 => FieldRef::list(&self.reserved_for),
            2 => FieldRef::list(&self.devices),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.allocation),
            1 => FieldMut::list(&mut self.reserved_for),
            2 => FieldMut::list(&mut self.devices),
            _ => FieldMut::NONE,
        }
    }
}
