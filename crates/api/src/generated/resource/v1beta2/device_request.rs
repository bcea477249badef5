// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceSubRequest;
use super::ExactDeviceRequest;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`DeviceRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequest-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceRequest {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequest-v1beta2-resource-k8s-io): required.
    pub name: Str,
    /// [`exactly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequest-v1beta2-resource-k8s-io): optional.
    pub exactly: Option<Shared<ExactDeviceRequest>>,
    /// [`firstAvailable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicerequest-v1beta2-resource-k8s-io): optional. At most 8 entries. Apply replaces the list. Feature gate `DRAPrioritizedList`.
    pub first_available: List<DeviceSubRequest>,
}

impl DeviceRequest {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, exactly: None, first_available: List::EMPTY };
}

client_rs_machinery::message!(DeviceRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceRequest",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("exactly", Flags::OMIT_EMPTY).of::<ExactDeviceRequest>(),
        Field::new("firstAvailable", Flags::OMIT_EMPTY).of::<DeviceSubRequest>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DeviceRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::optional(&self.exactly),
            2 => FieldRef::list(&self.first_available),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::optional(&mut self.exactly),
            2 => FieldMut::list(&mut self.first_available),
            _ => FieldMut::NONE,
        }
    }
}
