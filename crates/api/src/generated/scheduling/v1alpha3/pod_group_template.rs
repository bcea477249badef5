// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DisruptionMode;
use super::PodGroupResourceClaim;
use super::PodGroupSchedulingConstraints;
use super::PodGroupSchedulingPolicy;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`PodGroupTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct PodGroupTemplate {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): required, immutable. A DNS label.
    pub name: Str,
    /// [`schedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): required.
    pub scheduling_policy: PodGroupSchedulingPolicy,
    /// [`schedulingConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): optional, immutable. Feature gate `TopologyAwareWorkloadScheduling`.
    pub scheduling_constraints: Option<Shared<PodGroupSchedulingConstraints>>,
    /// [`resourceClaims`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): optional, immutable. At most 4 entries. Apply and strategic merge patch merge entries by `name`. Patch strategy `retainKeys`. Feature gate `DRAWorkloadResourceClaims`.
    pub resource_claims: List<PodGroupResourceClaim>,
    /// [`disruptionMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): optional, immutable.
    pub disruption_mode: Option<Shared<DisruptionMode>>,
    /// [`priorityClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): optional, immutable. A DNS subdomain.
    pub priority_class_name: Str,
    /// [`priority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): optional, immutable. At most 1000000000.
    pub priority: Option<i32>,
    /// [`preemptionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgrouptemplate-v1alpha3-scheduling-k8s-io): optional, immutable. One of `Never`, `PreemptLowerPriority`. Feature gate `PodGroupPreemptionPolicy`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::message(&self.scheduling_policy),
            2 => FieldRef::optional(&self.scheduling_constraints),
            3 => FieldRef::list(&self.resource_claims),
            4 => FieldRef::optional(&self.disruption_mode),
            5 => FieldRef::value(&self.priority_class_name),
            6 => FieldRef::value(&self.priority),
            7 => FieldRef::value(&self.preemption_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.scheduling_policy),
            2 => FieldMut::optional(&mut self.scheduling_constraints),
            3 => FieldMut::list(&mut self.resource_claims),
            4 => FieldMut::optional(&mut self.disruption_mode),
            5 => FieldMut::value(&mut self.priority_class_name),
            6 => FieldMut::value(&mut self.priority),
            7 => FieldMut::value(&mut self.preemption_policy),
            _ => FieldMut::NONE,
        }
    }
}
