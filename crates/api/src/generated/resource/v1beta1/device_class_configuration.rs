// Made by `cargo xtask codegen` from schema: change those, not this.
use super::OpaqueDeviceConfiguration;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceClassConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassconfiguration-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceClassConfiguration {
    /// [`opaque`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassconfiguration-v1beta1-resource-k8s-io): optional.
    pub opaque: Option<Shared<OpaqueDeviceConfiguration>>,
}

impl DeviceClassConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { opaque: None };
}

client_rs_machinery::message!(DeviceClassConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceClassConfiguration",
    type_meta: None,
    fields: &[Field::new("opaque", Flags::OMIT_EMPTY).of::<OpaqueDeviceConfiguration>()],
    wire: &[Wire::inline(1, &[Wire::field(1, 0)])],
};

impl Fields for DeviceClassConfiguration {
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
