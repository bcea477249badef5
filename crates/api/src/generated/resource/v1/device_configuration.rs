// Made by `cargo xtask codegen` from schema: change those, not this.
use super::OpaqueDeviceConfiguration;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconfiguration-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceConfiguration {
    /// [`opaque`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceconfiguration-v1-resource-k8s-io): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.opaque),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.opaque),
            _ => FieldMut::NONE,
        }
    }
}
