// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ComponentCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentcondition-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ComponentCondition {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentcondition-v1-core): required. Known value: `Healthy`.
    pub type_: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentcondition-v1-core): required. Known values: `False`, `True`, `Unknown`.
    pub status: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentcondition-v1-core): optional.
    pub message: Str,
    /// [`error`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#componentcondition-v1-core): optional.
    pub error: Str,
}

impl ComponentCondition {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { type_: Str::EMPTY, status: Str::EMPTY, message: Str::EMPTY, error: Str::EMPTY };
}

client_rs_machinery::message!(ComponentCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ComponentCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("error", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ComponentCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.message),
            3 => FieldRef::value(&self.error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.message),
            3 => FieldMut::value(&mut self.error),
            _ => FieldMut::NONE,
        }
    }
}
