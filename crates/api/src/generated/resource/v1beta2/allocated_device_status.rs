// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkDeviceData;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, RawExtension, Shared, Str};

/// [AllocatedDeviceStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allocateddevicestatus-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct AllocatedDeviceStatus {
    pub driver: Str,
    pub pool: Str,
    pub device: Str,
    pub share_id: Option<Str>,
    pub conditions: List<Condition>,
    pub data: Option<RawExtension>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.driver,
            1 => &self.pool,
            2 => &self.device,
            3 => &self.share_id,
            4 => &self.conditions,
            5 => &self.data,
            6 => &self.network_data,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.driver,
            1 => &mut self.pool,
            2 => &mut self.device,
            3 => &mut self.share_id,
            4 => &mut self.conditions,
            5 => &mut self.data,
            6 => &mut self.network_data,
            _ => return None,
        })
    }
}
