// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`NetworkDeviceData`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkdevicedata-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NetworkDeviceData {
    /// [`interfaceName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkdevicedata-v1beta1-resource-k8s-io): optional. At most 256 bytes.
    pub interface_name: Str,
    /// [`ips`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkdevicedata-v1beta1-resource-k8s-io): optional. At most 16 entries. Apply replaces the list.
    pub ips: List<Str>,
    /// [`hardwareAddress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkdevicedata-v1beta1-resource-k8s-io): optional. At most 128 bytes.
    pub hardware_address: Str,
}

impl NetworkDeviceData {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { interface_name: Str::EMPTY, ips: List::EMPTY, hardware_address: Str::EMPTY };
}

client_rs_machinery::message!(NetworkDeviceData, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkDeviceData",
    type_meta: None,
    fields: &[
        Field::new("interfaceName", Flags::OMIT_EMPTY),
        Field::new("ips", Flags::OMIT_EMPTY),
        Field::new("hardwareAddress", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for NetworkDeviceData {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.interface_name),
            1 => FieldRef::value(&self.ips),
            2 => FieldRef::value(&self.hardware_address),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.interface_name),
            1 => FieldMut::value(&mut self.ips),
            2 => FieldMut::value(&mut self.hardware_address),
            _ => FieldMut::NONE,
        }
    }
}
