// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Preconditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preconditions-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Preconditions {
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preconditions-v1-core): optional.
    pub uid: Option<Str>,
}

impl Preconditions {
    /// Every field empty.
    pub const EMPTY: Self = Self { uid: None };
}

client_rs_machinery::message!(Preconditions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Preconditions",
    type_meta: None,
    fields: &[Field::new("uid", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for Preconditions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            _ => FieldMut::NONE,
        }
    }
}
