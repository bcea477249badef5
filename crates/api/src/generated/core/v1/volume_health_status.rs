// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeHealthCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Time};

/// [`VolumeHealthStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeHealthStatus {
    /// [`healthConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthstatus-v1-core): optional. At most 16 entries. Apply merges entries by `status`, `reason`. Strategic merge patch merges entries by `status`.
    pub health_conditions: List<VolumeHealthCondition>,
    /// [`lastTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthstatus-v1-core): optional.
    pub last_transition_time: Option<Time>,
}

impl VolumeHealthStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { health_conditions: List::EMPTY, last_transition_time: None };
}

client_rs_machinery::message!(VolumeHealthStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeHealthStatus",
    type_meta: None,
    fields: &[
        Field::new("healthConditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<VolumeHealthCondition>()
            .merged_by("status"),
        Field::new("lastTransitionTime", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::always(2, 1)],
};

impl Fields for VolumeHealthStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.health_conditions),
            1 => FieldRef::value(&self.last_transition_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.health_conditions),
            1 => FieldMut::value(&mut self.last_transition_time),
            _ => FieldMut::NONE,
        }
    }
}
