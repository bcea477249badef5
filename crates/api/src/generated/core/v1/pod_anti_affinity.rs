// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodAffinityTerm;
use super::WeightedPodAffinityTerm;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodAntiAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podantiaffinity-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodAntiAffinity {
    /// [`requiredDuringSchedulingIgnoredDuringExecution`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podantiaffinity-v1-core): optional. Apply replaces the list.
    pub required_during_scheduling_ignored_during_execution: List<PodAffinityTerm>,
    /// [`preferredDuringSchedulingIgnoredDuringExecution`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podantiaffinity-v1-core): optional. Apply replaces the list.
    pub preferred_during_scheduling_ignored_during_execution: List<WeightedPodAffinityTerm>,
}

impl PodAntiAffinity {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        required_during_scheduling_ignored_during_execution: List::EMPTY,
        preferred_during_scheduling_ignored_during_execution: List::EMPTY,
    };
}

client_rs_machinery::message!(PodAntiAffinity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodAntiAffinity",
    type_meta: None,
    fields: &[
        Field::new("requiredDuringSchedulingIgnoredDuringExecution", Flags::OMIT_EMPTY)
            .of::<PodAffinityTerm>(),
        Field::new("preferredDuringSchedulingIgnoredDuringExecution", Flags::OMIT_EMPTY)
            .of::<WeightedPodAffinityTerm>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodAntiAffinity {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.required_during_scheduling_ignored_during_execution),
            1 => FieldRef::list(&self.preferred_during_scheduling_ignored_during_execution),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.required_during_scheduling_ignored_during_execution),
            1 => FieldMut::list(&mut self.preferred_during_scheduling_ignored_during_execution),
            _ => FieldMut::NONE,
        }
    }
}
