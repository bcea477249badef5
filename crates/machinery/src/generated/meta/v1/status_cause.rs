// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`StatusCause`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statuscause-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct StatusCause {
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statuscause-v1-meta): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statuscause-v1-meta): optional.
    pub message: Str,
    /// [`field`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statuscause-v1-meta): optional.
    pub field: Str,
}

impl StatusCause {
    /// Every field empty.
    pub const EMPTY: Self = Self { reason: Str::EMPTY, message: Str::EMPTY, field: Str::EMPTY };
}

crate::message!(StatusCause, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatusCause",
    type_meta: None,
    fields: &[
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("field", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for StatusCause {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.reason),
            1 => FieldRef::value(&self.message),
            2 => FieldRef::value(&self.field),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.reason),
            1 => FieldMut::value(&mut self.message),
            2 => FieldMut::value(&mut self.field),
            _ => FieldMut::NONE,
        }
    }
}
