// Made by `cargo xtask codegen` from schema: change those, not this.
use super::OpaqueDeviceConfiguration;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeviceConfiguration](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconfiguration-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceConfiguration {
    pub opaque: Option<Shared<OpaqueDeviceConfiguration>>,
}

impl DeviceConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { opaque: None };
}

client_rs_machinery::message!(DeviceConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceConfiguration",
    type_meta: None,
    fields: &[Field::new("opaque", Flags::OMIT_EMPTY).of::<OpaqueDeviceConfiguration>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for DeviceConfiguration {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.opaque,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.opaque,
            _ => return None,
        })
    }
}
