// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NamespaceCondition;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [NamespaceStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespacestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NamespaceStatus {
    pub phase: Str,
    pub conditions: List<NamespaceCondition>,
}

impl NamespaceStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { phase: Str::EMPTY, conditions: List::EMPTY };
}

client_rs_machinery::message!(NamespaceStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NamespaceStatus",
    type_meta: None,
    fields: &[
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<NamespaceCondition>()
            .merged_by("type"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NamespaceStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.phase,
            1 => &self.conditions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.phase,
            1 => &mut self.conditions,
            _ => return None,
        })
    }
}
