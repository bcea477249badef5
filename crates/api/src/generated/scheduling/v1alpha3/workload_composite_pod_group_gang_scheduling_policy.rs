// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [WorkloadCompositePodGroupGangSchedulingPolicy](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#workloadcompositepodgroupgangschedulingpolicy-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct WorkloadCompositePodGroupGangSchedulingPolicy {
    pub min_group_count: Option<i32>,
}

impl WorkloadCompositePodGroupGangSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { min_group_count: None };
}

client_rs_machinery::message!(WorkloadCompositePodGroupGangSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WorkloadCompositePodGroupGangSchedulingPolicy",
    type_meta: None,
    fields: &[Field::new("minGroupCount", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for WorkloadCompositePodGroupGangSchedulingPolicy {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.min_group_count,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.min_group_count,
            _ => return None,
        })
    }
}
