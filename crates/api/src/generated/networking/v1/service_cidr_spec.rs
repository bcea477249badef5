// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ServiceCIDRSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicecidrspec-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ServiceCIDRSpec {
    /// [`cidrs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#servicecidrspec-v1-networking-k8s-io): optional, immutable. Apply replaces the list.
    pub cidrs: List<Str>,
}

impl ServiceCIDRSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { cidrs: List::EMPTY };
}

client_rs_machinery::message!(ServiceCIDRSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceCIDRSpec",
    type_meta: None,
    fields: &[Field::new("cidrs", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ServiceCIDRSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.cidrs),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.cidrs),
            _ => FieldMut::NONE,
        }
    }
}
