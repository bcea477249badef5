// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ForNode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fornode-v1-discovery-k8s-io) of `discovery.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ForNode {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fornode-v1-discovery-k8s-io): required.
    pub name: Str,
}

impl ForNode {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY };
}

client_rs_machinery::message!(ForNode, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ForNode",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ForNode {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
