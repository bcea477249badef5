// Made by `cargo xtask codegen` from schema: change those, not this.
use super::FlowSchemaCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `FlowSchemaStatus` of `flowcontrol.apiserver.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct FlowSchemaStatus {
    /// `conditions`: optional. Apply merges entries by `type`.
    pub conditions: List<FlowSchemaCondition>,
}

impl FlowSchemaStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY };
}

client_rs_machinery::message!(FlowSchemaStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlowSchemaStatus",
    type_meta: None,
    fields: &[Field::new("conditions", Flags::OMIT_EMPTY).of::<FlowSchemaCondition>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for FlowSchemaStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
