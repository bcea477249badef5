// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`Capabilities`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capabilities-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Capabilities {
    /// [`add`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capabilities-v1-core): optional. Apply replaces the list.
    pub add: List<Str>,
    /// [`drop`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capabilities-v1-core): optional. Apply replaces the list.
    pub drop: List<Str>,
}

impl Capabilities {
    /// Every field empty.
    pub const EMPTY: Self = Self { add: List::EMPTY, drop: List::EMPTY };
}

client_rs_machinery::message!(Capabilities, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Capabilities",
    type_meta: None,
    fields: &[Field::new("add", Flags::OMIT_EMPTY), Field::new("drop", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Capabilities {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.add),
            1 => FieldRef::value(&self.drop),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.add),
            1 => FieldMut::value(&mut self.drop),
            _ => FieldMut::NONE,
        }
    }
}
