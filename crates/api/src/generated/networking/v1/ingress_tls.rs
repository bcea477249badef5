// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`IngressTLS`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingresstls-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressTLS {
    /// [`hosts`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingresstls-v1-networking-k8s-io): optional. Apply replaces the list.
    pub hosts: List<Str>,
    /// [`secretName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingresstls-v1-networking-k8s-io): optional.
    pub secret_name: Str,
}

impl IngressTLS {
    /// Every field empty.
    pub const EMPTY: Self = Self { hosts: List::EMPTY, secret_name: Str::EMPTY };
}

client_rs_machinery::message!(IngressTLS, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressTLS",
    type_meta: None,
    fields: &[Field::new("hosts", Flags::OMIT_EMPTY), Field::new("secretName", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IngressTLS {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.hosts),
            1 => FieldRef::value(&self.secret_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.hosts),
            1 => FieldMut::value(&mut self.secret_name),
            _ => FieldMut::NONE,
        }
    }
}
