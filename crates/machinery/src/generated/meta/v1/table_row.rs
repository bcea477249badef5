// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TableRowCondition;
use crate::wire::{Descriptor, Field, Fields, Flags, Value};
use crate::{Json, List, RawExtension};

/// [TableRow](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerow-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableRow {
    pub cells: List<Json>,
    pub conditions: List<TableRowCondition>,
    pub object: RawExtension,
}

impl TableRow {
    /// Every field empty.
    pub const EMPTY: Self = Self { cells: List::EMPTY, conditions: List::EMPTY, object: RawExtension::EMPTY };
}

crate::message!(TableRow, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TableRow",
    type_meta: None,
    fields: &[
        Field::new("cells", Flags::NONE),
        Field::new("conditions", Flags::OMIT_EMPTY).of::<TableRowCondition>(),
        Field::new("object", Flags::OMIT_EMPTY),
    ],
    wire: &[],
};

impl Fields for TableRow {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.cells,
            1 => &self.conditions,
            2 => &self.object,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.cells,
            1 => &mut self.conditions,
            2 => &mut self.object,
            _ => return None,
        })
    }
}
