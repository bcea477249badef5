// Made by `cargo xtask codegen` from schema: change those, not this.
use super::OpaqueDeviceConfiguration;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [DeviceClaimConfiguration](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaimconfiguration-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceClaimConfiguration {
    pub requests: List<Str>,
    pub opaque: Option<Shared<OpaqueDeviceConfiguration>>,
}

impl DeviceClaimConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { requests: List::EMPTY, opaque: None };
}

client_rs_machinery::message!(DeviceClaimConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceClaimConfiguration",
    type_meta: None,
    fields: &[
        Field::new("requests", Flags::OMIT_EMPTY),
        Field::new("opaque", Flags::OMIT_EMPTY).of::<OpaqueDeviceConfiguration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::inline(2, &[Wire::field(1, 1)])],
};

impl Fields for DeviceClaimConfiguration {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.requests,
            1 => &self.opaque,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.requests,
            1 => &mut self.opaque,
            _ => return None,
        })
    }
}
