// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PriorityLevelConfigurationCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `PriorityLevelConfigurationStatus` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct PriorityLevelConfigurationStatus {
    /// `conditions`: optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<PriorityLevelConfigurationCondition>,
}

impl PriorityLevelConfigurationStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY };
}

client_rs_machinery::message!(PriorityLevelConfigurationStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PriorityLevelConfigurationStatus",
    type_meta: None,
    fields: &[Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
        .of::<PriorityLevelConfigurationCondition>()
        .merged_by("type")],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PriorityLevelConfigurationStatus {
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
