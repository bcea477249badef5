// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ListMeta;
use super::TableColumnDefinition;
use super::TableRow;
use crate::List;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta};

/// [`Table`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#table-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Table {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#table-v1-meta): optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// [`columnDefinitions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#table-v1-meta): optional.
    pub column_definitions: List<TableColumnDefinition>,
    /// [`rows`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#table-v1-meta): optional.
    pub rows: List<TableRow>,
}

impl Table {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ListMeta::EMPTY, column_definitions: List::EMPTY, rows: List::EMPTY };
}

crate::message!(Table, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Table",
    type_meta: Some(TypeMeta { api_version: "meta.k8s.io/v1", kind: "Table", everywhere: true }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("columnDefinitions", Flags::NONE).of::<TableColumnDefinition>(),
        Field::new("rows", Flags::NONE).of::<TableRow>(),
    ],
    wire: &[],
};

impl Fields for Table {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.column_definitions),
            2 => FieldRef::list(&self.rows),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.column_definitions),
            2 => FieldMut::list(&mut self.rows),
            _ => FieldMut::NONE,
        }
    }
}
