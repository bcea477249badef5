// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ListMeta;
use super::TableColumnDefinition;
use super::TableRow;
use crate::List;
use crate::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value};

/// [Table](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#table-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Table {
    pub metadata: ListMeta,
    pub column_definitions: List<TableColumnDefinition>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.column_definitions,
            2 => &self.rows,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.column_definitions,
            2 => &mut self.rows,
            _ => return None,
        })
    }
}
