// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags};

/// [`TableColumnDefinition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableColumnDefinition {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta): optional.
    pub name: Str,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta): optional.
    pub type_: Str,
    /// [`format`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta): optional.
    pub format: Str,
    /// [`description`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta): optional.
    pub description: Str,
    /// [`priority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta): optional.
    pub priority: i32,
}

impl TableColumnDefinition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        type_: Str::EMPTY,
        format: Str::EMPTY,
        description: Str::EMPTY,
        priority: 0,
    };
}

crate::message!(TableColumnDefinition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TableColumnDefinition",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("type", Flags::NONE),
        Field::new("format", Flags::NONE),
        Field::new("description", Flags::NONE),
        Field::new("priority", Flags::NONE),
    ],
    wire: &[],
};

impl Fields for TableColumnDefinition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.type_),
            2 => FieldRef::value(&self.format),
            3 => FieldRef::value(&self.description),
            4 => FieldRef::value(&self.priority),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.type_),
            2 => FieldMut::value(&mut self.format),
            3 => FieldMut::value(&mut self.description),
            4 => FieldMut::value(&mut self.priority),
            _ => FieldMut::NONE,
        }
    }
}
