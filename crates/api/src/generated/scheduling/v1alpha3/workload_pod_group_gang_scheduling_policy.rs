// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`WorkloadPodGroupGangSchedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadpodgroupgangschedulingpolicy-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct WorkloadPodGroupGangSchedulingPolicy {
    /// [`minCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadpodgroupgangschedulingpolicy-v1alpha3-scheduling-k8s-io): optional. At least 1.
    pub min_count: Option<i32>,
}

impl WorkloadPodGroupGangSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { min_count: None };
}

client_rs_machinery::message!(WorkloadPodGroupGangSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WorkloadPodGroupGangSchedulingPolicy",
    type_meta: None,
    fields: &[Field::new("minCount", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for WorkloadPodGroupGangSchedulingPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.min_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.min_count),
            _ => FieldMut::NONE,
        }
    }
}
