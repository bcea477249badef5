// Made by `cargo xtask codegen` from schema: change those, not this.
use super::OpaqueDeviceConfiguration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`DeviceAllocationConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationconfiguration-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceAllocationConfiguration {
    /// [`source`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationconfiguration-v1beta2-resource-k8s-io): required. One of `FromClaim`, `FromClass`.
    pub source: Str,
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationconfiguration-v1beta2-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub requests: List<Str>,
    /// [`opaque`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationconfiguration-v1beta2-resource-k8s-io): optional.
    pub opaque: Option<Shared<OpaqueDeviceConfiguration>>,
}

impl DeviceAllocationConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { source: Str::EMPTY, requests: List::EMPTY, opaque: None };
}

client_rs_machinery::message!(DeviceAllocationConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceAllocationConfiguration",
    type_meta: None,
    fields: &[
        Field::new("source", Flags::NONE),
        Field::new("requests", Flags::OMIT_EMPTY),
        Field::new("opaque", Flags::OMIT_EMPTY).of::<OpaqueDeviceConfiguration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::inline(3, &[Wire::field(1, 2)])],
};

impl Fields for DeviceAllocationConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.source),
            1 => FieldRef::value(&self.requests),
            2 => FieldRef::optional(&self.opaque),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.source),
            1 => FieldMut::value(&mut self.requests),
            2 => FieldMut::optional(&mut self.opaque),
            _ => FieldMut::NONE,
        }
    }
}
