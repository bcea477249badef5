// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceClaim;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourceClaimSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimspec-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaimSpec {
    /// [`devices`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimspec-v1beta1-resource-k8s-io): optional.
    pub devices: DeviceClaim,
}

impl ResourceClaimSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { devices: DeviceClaim::EMPTY };
}

client_rs_machinery::message!(ResourceClaimSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaimSpec",
    type_meta: None,
    fields: &[Field::new("devices", Flags::NONE).of::<DeviceClaim>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ResourceClaimSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.devices),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.devices),
            _ => FieldMut::NONE,
        }
    }
}
