// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceClaimConfiguration;
use super::DeviceConstraint;
use super::DeviceRequest;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceClaim`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaim-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceClaim {
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaim-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub requests: List<DeviceRequest>,
    /// [`constraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaim-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub constraints: List<DeviceConstraint>,
    /// [`config`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclaim-v1beta1-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub config: List<DeviceClaimConfiguration>,
}

impl DeviceClaim {
    /// Every field empty.
    pub const EMPTY: Self = Self { requests: List::EMPTY, constraints: List::EMPTY, config: List::EMPTY };
}

client_rs_machinery::message!(DeviceClaim, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceClaim",
    type_meta: None,
    fields: &[
        Field::new("requests", Flags::NONE).of::<DeviceRequest>(),
        Field::new("constraints", Flags::OMIT_EMPTY).of::<DeviceConstraint>(),
        Field::new("config", Flags::OMIT_EMPTY).of::<DeviceClaimConfiguration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DeviceClaim {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.requests),
            1 => FieldRef::list(&self.constraints),
            2 => FieldRef::list(&self.config),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.requests),
            1 => FieldMut::list(&mut self.constraints),
            2 => FieldMut::list(&mut self.config),
            _ => FieldMut::NONE,
        }
    }
}
