// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`NamespaceSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespacespec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NamespaceSpec {
    /// [`finalizers`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespacespec-v1-core): optional. Known value: `kubernetes`. Apply replaces the list.
    pub finalizers: List<Str>,
}

impl NamespaceSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { finalizers: List::EMPTY };
}

client_rs_machinery::message!(NamespaceSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NamespaceSpec",
    type_meta: None,
    fields: &[Field::new("finalizers", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NamespaceSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.finalizers),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.finalizers),
            _ => FieldMut::NONE,
        }
    }
}
