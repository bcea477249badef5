// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DisruptionMode;
use super::PodGroupResourceClaim;
use super::PodGroupSchedulingConstraints;
use super::PodGroupSchedulingPolicy;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [PodGroupTemplate](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct PodGroupTemplate {
    pub name: Str,
    pub scheduling_policy: PodGroupSchedulingPolicy,
    pub scheduling_constraints: Option<Shared<PodGroupSchedulingConstraints>>,
    pub resource_claims: List<PodGroupResourceClaim>,
    pub disruption_mode: Option<Shared<DisruptionMode>>,
    pub priority_class_name: Str,
    pub priority: Option<i32>,
    pub preemption_policy: Option<Str>,
}

impl PodGroupTemplate {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        scheduling_policy: PodGroupSchedulingPolicy::EMPTY,
        scheduling_constraints: None,
        resource_claims: List::EMPTY,
        disruption_mode: None,
        priority_class_name: Str::EMPTY,
        priority: None,
        preemption_policy: None,
    };
}

client_rs_machinery::message!(PodGroupTemplate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodGroupTemplate",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("schedulingPolicy", Flags::NONE).of::<PodGroupSchedulingPolicy>(),
        Field::new("schedulingConstraints", Flags::NONE).of::<PodGroupSchedulingConstraints>(),
        Field::new("resourceClaims", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE).and(Flags::PATCH_RETAIN_KEYS))
            .of::<PodGroupResourceClaim>()
            .merged_by("name"),
        Field::new("disruptionMode", Flags::OMIT_EMPTY).of::<DisruptionMode>(),
        Field::new("priorityClassName", Flags::OMIT_EMPTY),
        Field::new("priority", Flags::OMIT_EMPTY),
        Field::new("preemptionPolicy", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for PodGroupTemplate {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.scheduling_policy,
            2 => &self.scheduling_constraints,
            3 => &self.resource_claims,
            4 => &self.disruption_mode,
            5 => &self.priority_class_name,
            6 => &self.priority,
            7 => &self.preemption_policy,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.scheduling_policy,
            2 => &mut self.scheduling_constraints,
            3 => &mut self.resource_claims,
            4 => &mut self.disruption_mode,
            5 => &mut self.priority_class_name,
            6 => &mut self.priority,
            7 => &mut self.preemption_policy,
            _ => return None,
        })
    }
}
