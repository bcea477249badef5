// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value};

/// [TableRowCondition](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablerowcondition-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableRowCondition {
    pub type_: Str,
    pub status: Str,
    pub reason: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.status,
            2 => &self.reason,
            3 => &self.message,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.status,
            2 => &mut self.reason,
            3 => &mut self.message,
            _ => return None,
        })
    }
}
