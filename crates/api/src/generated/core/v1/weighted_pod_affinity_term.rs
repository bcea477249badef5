// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodAffinityTerm;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`WeightedPodAffinityTerm`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#weightedpodaffinityterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct WeightedPodAffinityTerm {
    /// [`weight`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#weightedpodaffinityterm-v1-core): required.
    pub weight: i32,
    /// [`podAffinityTerm`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#weightedpodaffinityterm-v1-core): required.
    pub pod_affinity_term: Shared<PodAffinityTerm>,
}

impl WeightedPodAffinityTerm {
    /// Every field empty.
    pub const EMPTY: Self = Self { weight: 0, pod_affinity_term: Shared::DEFAULT };
}

client_rs_machinery::message!(WeightedPodAffinityTerm, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WeightedPodAffinityTerm",
    type_meta: None,
    fields: &[
        Field::new("weight", Flags::NONE),
        Field::new("podAffinityTerm", Flags::NONE).of::<PodAffinityTerm>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for WeightedPodAffinityTerm {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.weight),
            1 => FieldRef::shared(&self.pod_affinity_term),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.weight),
            1 => FieldMut::shared(&mut self.pod_affinity_term),
            _ => FieldMut::NONE,
        }
    }
}
