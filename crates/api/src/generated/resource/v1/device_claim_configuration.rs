// Made by `cargo xtask codegen` from schema: change those, not this.
use super::OpaqueDeviceConfiguration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`DeviceClaimConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaimconfiguration-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceClaimConfiguration {
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaimconfiguration-v1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub requests: List<Str>,
    /// [`opaque`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaimconfiguration-v1-resource-k8s-io): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.requests),
            1 => FieldRef::optional(&self.opaque),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.requests),
            1 => FieldMut::optional(&mut self.opaque),
            _ => FieldMut::NONE,
        }
    }
}
