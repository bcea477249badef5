// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::scheduling::v1alpha3::WorkloadPodGroupDisruptionMode;
use crate::scheduling::v1alpha3::WorkloadPodGroupResourceClaim;
use crate::scheduling::v1alpha3::WorkloadPodGroupSchedulingConstraints;
use crate::scheduling::v1alpha3::WorkloadPodGroupSchedulingPolicy;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared};

/// [`JobSchedulingConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobschedulingconfiguration-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct JobSchedulingConfiguration {
    /// [`schedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobschedulingconfiguration-v1-batch): optional, immutable. Updates can't set or clear it.
    pub scheduling_policy: Option<Shared<WorkloadPodGroupSchedulingPolicy>>,
    /// [`schedulingConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobschedulingconfiguration-v1-batch): optional, immutable.
    pub scheduling_constraints: Option<Shared<WorkloadPodGroupSchedulingConstraints>>,
    /// [`disruptionMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobschedulingconfiguration-v1-batch): optional, immutable.
    pub disruption_mode: Option<Shared<WorkloadPodGroupDisruptionMode>>,
    /// [`resourceClaims`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobschedulingconfiguration-v1-batch): optional, immutable. At most 4 entries. Apply and strategic merge patch merge entries by `name`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.scheduling_policy),
            1 => FieldRef::optional(&self.scheduling_constraints),
            2 => FieldRef::optional(&self.disruption_mode),
            3 => FieldRef::list(&self.resource_claims),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.scheduling_policy),
            1 => FieldMut::optional(&mut self.scheduling_constraints),
            2 => FieldMut::optional(&mut self.disruption_mode),
            3 => FieldMut::list(&mut self.resource_claims),
            _ => FieldMut::NONE,
        }
    }
}
