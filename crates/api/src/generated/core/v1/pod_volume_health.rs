// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeHealthCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str, Time};

/// [`PodVolumeHealth`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podvolumehealth-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodVolumeHealth {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podvolumehealth-v1-core): required.
    pub name: Str,
    /// [`healthConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podvolumehealth-v1-core): optional. At most 16 entries. Apply merges entries by `status`, `reason`. Strategic merge patch merges entries by `status`.
    pub health_conditions: List<VolumeHealthCondition>,
    /// [`lastTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podvolumehealth-v1-core): optional.
    pub last_transition_time: Option<Time>,
}

impl PodVolumeHealth {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, health_conditions: List::EMPTY, last_transition_time: None };
}

client_rs_machinery::message!(PodVolumeHealth, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodVolumeHealth",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("healthConditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<VolumeHealthCondition>()
            .merged_by("status"),
        Field::new("lastTransitionTime", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::always(3, 2)],
};

impl Fields for PodVolumeHealth {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::list(&self.health_conditions),
            2 => FieldRef::value(&self.last_transition_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::list(&mut self.health_conditions),
            2 => FieldMut::value(&mut self.last_transition_time),
            _ => FieldMut::NONE,
        }
    }
}
