// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkDeviceData;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, RawExtension, Shared, Str};

/// [`AllocatedDeviceStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct AllocatedDeviceStatus {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): required.
    pub driver: Str,
    /// [`pool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): required.
    pub pool: Str,
    /// [`device`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): required.
    pub device: Str,
    /// [`shareID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): optional, since 1.34. A UUID. Feature gate `DRAConsumableCapacity`.
    pub share_id: Option<Str>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): optional. Apply merges entries by `type`.
    pub conditions: List<Condition>,
    /// [`data`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): optional.
    pub data: Option<RawExtension>,
    /// [`networkData`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io): optional.
    pub network_data: Option<Shared<NetworkDeviceData>>,
}

impl AllocatedDeviceStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        pool: Str::EMPTY,
        device: Str::EMPTY,
        share_id: None,
        conditions: List::EMPTY,
        data: None,
        network_data: None,
    };
}

client_rs_machinery::message!(AllocatedDeviceStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AllocatedDeviceStatus",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("pool", Flags::NONE),
        Field::new("device", Flags::NONE),
        Field::new("shareID", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::NONE).of::<Condition>(),
        Field::new("data", Flags::OMIT_EMPTY),
        Field::new("networkData", Flags::OMIT_EMPTY).of::<NetworkDeviceData>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 6),
        Wire::field(7, 3),
    ],
};

impl Fields for AllocatedDeviceStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.pool),
            2 => FieldRef::value(&self.device),
            3 => FieldRef::value(&self.share_id),
            4 => FieldRef::list(&self.conditions),
            5 => FieldRef::value(&self.data),
            6 => FieldRef::optional(&self.network_data),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.pool),
            2 => FieldMut::value(&mut self.device),
            3 => FieldMut::value(&mut self.share_id),
            4 => FieldMut::list(&mut self.conditions),
            5 => FieldMut::value(&mut self.data),
            6 => FieldMut::optional(&mut self.network_data),
            _ => FieldMut::NONE,
        }
    }
}
