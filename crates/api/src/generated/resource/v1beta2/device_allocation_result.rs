// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceAllocationConfiguration;
use super::DeviceRequestAllocationResult;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceAllocationResult`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationresult-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceAllocationResult {
    /// [`results`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationresult-v1beta2-resource-k8s-io): optional. At most 32 entries. Apply replaces the list.
    pub results: List<DeviceRequestAllocationResult>,
    /// [`config`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceallocationresult-v1beta2-resource-k8s-io): optional. At most 64 entries. Apply replaces the list.
    pub config: List<DeviceAllocationConfiguration>,
}

impl DeviceAllocationResult {
    /// Every field empty.
    pub const EMPTY: Self = Self { results: List::EMPTY, config: List::EMPTY };
}

client_rs_machinery::message!(DeviceAllocationResult, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceAllocationResult",
    type_meta: None,
    fields: &[
        Field::new("results", Flags::OMIT_EMPTY).of::<DeviceRequestAllocationResult>(),
        Field::new("config", Flags::OMIT_EMPTY).of::<DeviceAllocationConfiguration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for DeviceAllocationResult {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.results),
            1 => FieldRef::list(&self.config),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.results),
            1 => FieldMut::list(&mut self.config),
            _ => FieldMut::NONE,
        }
    }
}
