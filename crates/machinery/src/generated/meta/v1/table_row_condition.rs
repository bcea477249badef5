// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags};

/// [`TableRowCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerowcondition-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableRowCondition {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerowcondition-v1-meta): optional. Known value: `Completed`.
    pub type_: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerowcondition-v1-meta): optional. One of `False`, `True`, `Unknown`.
    pub status: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerowcondition-v1-meta): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerowcondition-v1-meta): optional.
    pub message: Str,
}

impl TableRowCondition {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { type_: Str::EMPTY, status: Str::EMPTY, reason: Str::EMPTY, message: Str::EMPTY };
}

crate::message!(TableRowCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TableRowCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[],
};

impl Fields for TableRowCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
