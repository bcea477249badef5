// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{RawExtension, Str};

/// [`OpaqueDeviceConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#opaquedeviceconfiguration-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct OpaqueDeviceConfiguration {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#opaquedeviceconfiguration-v1beta2-resource-k8s-io): required. At most 63 characters. A DNS subdomain.
    pub driver: Str,
    /// [`parameters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#opaquedeviceconfiguration-v1beta2-resource-k8s-io): required.
    pub parameters: RawExtension,
}

impl OpaqueDeviceConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { driver: Str::EMPTY, parameters: RawExtension::EMPTY };
}

client_rs_machinery::message!(OpaqueDeviceConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "OpaqueDeviceConfiguration",
    type_meta: None,
    fields: &[Field::new("driver", Flags::NONE), Field::new("parameters", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for OpaqueDeviceConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.parameters),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.parameters),
            _ => FieldMut::NONE,
        }
    }
}
