// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CompositeDisruptionMode;
use super::CompositePodGroupSchedulingConstraints;
use super::CompositePodGroupSchedulingPolicy;
use super::PodGroupTemplate;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`CompositePodGroupTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CompositePodGroupTemplate {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): required. A DNS label.
    pub name: Str,
    /// [`schedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): required.
    pub scheduling_policy: CompositePodGroupSchedulingPolicy,
    /// [`schedulingConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional, immutable.
    pub scheduling_constraints: Option<Shared<CompositePodGroupSchedulingConstraints>>,
    /// [`disruptionMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional, immutable.
    pub disruption_mode: Option<Shared<CompositeDisruptionMode>>,
    /// [`priorityClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional, immutable. A DNS subdomain.
    pub priority_class_name: Str,
    /// [`priority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional, immutable. At most 1000000000.
    pub priority: Option<i32>,
    /// [`preemptionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional, immutable. One of `Never`, `PreemptLowerPriority`. Feature gate `PodGroupPreemptionPolicy`.
    pub preemption_policy: Option<Str>,
    /// [`podGroupTemplates`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional. At most 8 entries. Updates can't add or remove entries. Apply merges entries by `name`.
    pub pod_group_templates: List<PodGroupTemplate>,
    /// [`compositePodGroupTemplates`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgrouptemplate-v1beta1-scheduling-k8s-io): optional. At most 8 entries. Updates can't add or remove entries. Apply merges entries by `name`.
    pub composite_pod_group_templates: List<CompositePodGroupTemplate>,
}

impl CompositePodGroupTemplate {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        scheduling_policy: CompositePodGroupSchedulingPolicy::EMPTY,
        scheduling_constraints: None,
        disruption_mode: None,
        priority_class_name: Str::EMPTY,
        priority: None,
        preemption_policy: None,
        pod_group_templates: List::EMPTY,
        composite_pod_group_templates: List::EMPTY,
    };
}

client_rs_machinery::message!(CompositePodGroupTemplate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CompositePodGroupTemplate",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("schedulingPolicy", Flags::NONE).of::<CompositePodGroupSchedulingPolicy>(),
        Field::new("schedulingConstraints", Flags::OMIT_EMPTY).of::<CompositePodGroupSchedulingConstraints>(),
        Field::new("disruptionMode", Flags::OMIT_EMPTY).of::<CompositeDisruptionMode>(),
        Field::new("priorityClassName", Flags::OMIT_EMPTY),
        Field::new("priority", Flags::OMIT_EMPTY),
        Field::new("preemptionPolicy", Flags::OMIT_EMPTY),
        Field::new("podGroupTemplates", Flags::OMIT_EMPTY).of::<PodGroupTemplate>(),
        Field::new("compositePodGroupTemplates", Flags::OMIT_EMPTY).of::<CompositePodGroupTemplate>(),
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
        Wire::field(9, 8),
    ],
};

impl Fields for CompositePodGroupTemplate {
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
            3 => FieldRef::optional(&self.disruption_mode),
            4 => FieldRef::value(&self.priority_class_name),
            5 => FieldRef::value(&self.priority),
            6 => FieldRef::value(&self.preemption_policy),
            7 => FieldRef::list(&self.pod_group_templates),
            8 => FieldRef::list(&self.composite_pod_group_templates),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.scheduling_policy),
            2 => FieldMut::optional(&mut self.scheduling_constraints),
            3 => FieldMut::optional(&mut self.disruption_mode),
            4 => FieldMut::value(&mut self.priority_class_name),
            5 => FieldMut::value(&mut self.priority),
            6 => FieldMut::value(&mut self.preemption_policy),
            7 => FieldMut::list(&mut self.pod_group_templates),
            8 => FieldMut::list(&mut self.composite_pod_group_templates),
            _ => FieldMut::NONE,
        }
    }
}
