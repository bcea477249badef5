// Made by `cargo xtask codegen` from schema: change those, not this.
use super::WorkloadPodGroupBasicSchedulingPolicy;
use super::WorkloadPodGroupGangSchedulingPolicy;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`WorkloadPodGroupSchedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadpodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct WorkloadPodGroupSchedulingPolicy {
    /// [`basic`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadpodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io): optional.
    pub basic: Option<Shared<WorkloadPodGroupBasicSchedulingPolicy>>,
    /// [`gang`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadpodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io): optional.
    pub gang: Option<Shared<WorkloadPodGroupGangSchedulingPolicy>>,
}

impl WorkloadPodGroupSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { basic: None, gang: None };
}

client_rs_machinery::message!(WorkloadPodGroupSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WorkloadPodGroupSchedulingPolicy",
    type_meta: None,
    fields: &[
        Field::new("basic", Flags::OMIT_EMPTY).of::<WorkloadPodGroupBasicSchedulingPolicy>(),
        Field::new("gang", Flags::OMIT_EMPTY).of::<WorkloadPodGroupGangSchedulingPolicy>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for WorkloadPodGroupSchedulingPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.basic),
            1 => FieldRef::optional(&self.gang),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.basic),
            1 => FieldMut::optional(&mut self.gang),
            _ => FieldMut::NONE,
        }
    }
}
