// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::scheduling::v1alpha3::WorkloadPodGroupDisruptionMode;
use crate::scheduling::v1alpha3::WorkloadPodGroupResourceClaim;
use crate::scheduling::v1alpha3::WorkloadPodGroupSchedulingConstraints;
use crate::scheduling::v1alpha3::WorkloadPodGroupSchedulingPolicy;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared};

/// [JobSchedulingConfiguration](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobschedulingconfiguration-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct JobSchedulingConfiguration {
    pub scheduling_policy: Option<Shared<WorkloadPodGroupSchedulingPolicy>>,
    pub scheduling_constraints: Option<Shared<WorkloadPodGroupSchedulingConstraints>>,
    pub disruption_mode: Option<Shared<WorkloadPodGroupDisruptionMode>>,
    pub resource_claims: List<WorkloadPodGroupResourceClaim>,
}

impl JobSchedulingConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        scheduling_policy: None,
        scheduling_constraints: None,
        disruption_mode: None,
        resource_claims: List::EMPTY,
    };
}

client_rs_machinery::message!(JobSchedulingConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "JobSchedulingConfiguration",
    type_meta: None,
    fields: &[
        Field::new("schedulingPolicy", Flags::OMIT_EMPTY).of::<WorkloadPodGroupSchedulingPolicy>(),
        Field::new("schedulingConstraints", Flags::OMIT_EMPTY).of::<WorkloadPodGroupSchedulingConstraints>(),
        Field::new("disruptionMode", Flags::OMIT_EMPTY).of::<WorkloadPodGroupDisruptionMode>(),
        Field::new("resourceClaims", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<WorkloadPodGroupResourceClaim>()
            .merged_by("name"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for JobSchedulingConfiguration {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.scheduling_policy,
            1 => &self.scheduling_constraints,
            2 => &self.disruption_mode,
            3 => &self.resource_claims,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.scheduling_policy,
            1 => &mut self.scheduling_constraints,
            2 => &mut self.disruption_mode,
            3 => &mut self.resource_claims,
            _ => return None,
        })
    }
}
