// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TableRowCondition;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags};
use crate::{Json, List, RawExtension};

/// [`TableRow`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerow-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableRow {
    /// [`cells`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerow-v1-meta): optional.
    pub cells: List<Json>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerow-v1-meta): optional.
    pub conditions: List<TableRowCondition>,
    /// [`object`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerow-v1-meta): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.cells),
            1 => FieldRef::list(&self.conditions),
            2 => FieldRef::value(&self.object),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.cells),
            1 => FieldMut::list(&mut self.conditions),
            2 => FieldMut::value(&mut self.object),
            _ => FieldMut::NONE,
        }
    }
}
