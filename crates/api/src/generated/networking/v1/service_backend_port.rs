// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ServiceBackendPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicebackendport-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceBackendPort {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicebackendport-v1-networking-k8s-io): optional.
    pub name: Str,
    /// [`number`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicebackendport-v1-networking-k8s-io): optional.
    pub number: i32,
}

impl ServiceBackendPort {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, number: 0 };
}

client_rs_machinery::message!(ServiceBackendPort, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceBackendPort",
    type_meta: None,
    fields: &[Field::new("name", Flags::OMIT_EMPTY), Field::new("number", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ServiceBackendPort {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.number),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.number),
            _ => FieldMut::NONE,
        }
    }
}
