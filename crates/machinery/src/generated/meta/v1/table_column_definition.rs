// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value};

/// [TableColumnDefinition](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tablecolumndefinition-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableColumnDefinition {
    pub name: Str,
    pub type_: Str,
    pub format: Str,
    pub description: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.type_,
            2 => &self.format,
            3 => &self.description,
            4 => &self.priority,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.type_,
            2 => &mut self.format,
            3 => &mut self.description,
            4 => &mut self.priority,
            _ => return None,
        })
    }
}
