// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeConfigSource;
use super::NodePodPreemptionPolicy;
use super::Taint;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`NodeSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSpec {
    /// [`podCIDR`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional.
    pub pod_cidr: Str,
    /// [`podCIDRs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional. Apply and strategic merge patch merge entries.
    pub pod_cidrs: List<Str>,
    /// [`providerID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional. Updates can't clear or change it.
    pub provider_id: Str,
    /// [`unschedulable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional.
    pub unschedulable: bool,
    /// [`taints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional. Apply replaces the list.
    pub taints: List<Taint>,
    /// [`configSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional, deprecated.
    pub config_source: Option<Shared<NodeConfigSource>>,
    /// [`externalID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional, deprecated.
    pub external_id: Str,
    /// [`podPreemptionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodespec-v1-core): optional, since 1.37. Feature gate `InPlacePodVerticalScalingSchedulerPreemption`.
    pub pod_preemption_policy: Option<Shared<NodePodPreemptionPolicy>>,
}

impl NodeSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        pod_cidr: Str::EMPTY,
        pod_cidrs: List::EMPTY,
        provider_id: Str::EMPTY,
        unschedulable: false,
        taints: List::EMPTY,
        config_source: None,
        external_id: Str::EMPTY,
        pod_preemption_policy: None,
    };
}

client_rs_machinery::message!(NodeSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSpec",
    type_meta: None,
    fields: &[
        Field::new("podCIDR", Flags::OMIT_EMPTY),
        Field::new("podCIDRs", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)),
        Field::new("providerID", Flags::OMIT_EMPTY),
        Field::new("unschedulable", Flags::OMIT_EMPTY),
        Field::new("taints", Flags::OMIT_EMPTY).of::<Taint>(),
        Field::new("configSource", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("externalID", Flags::OMIT_EMPTY),
        Field::new("podPreemptionPolicy", Flags::OMIT_EMPTY).of::<NodePodPreemptionPolicy>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 6),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 1),
        Wire::field(8, 7),
    ],
};

impl Fields for NodeSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.pod_cidr),
            1 => FieldRef::value(&self.pod_cidrs),
            2 => FieldRef::value(&self.provider_id),
            3 => FieldRef::value(&self.unschedulable),
            4 => FieldRef::list(&self.taints),
            5 => FieldRef::optional(&self.config_source),
            6 => FieldRef::value(&self.external_id),
            7 => FieldRef::optional(&self.pod_preemption_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.pod_cidr),
            1 => FieldMut::value(&mut self.pod_cidrs),
            2 => FieldMut::value(&mut self.provider_id),
            3 => FieldMut::value(&mut self.unschedulable),
            4 => FieldMut::list(&mut self.taints),
            5 => FieldMut::optional(&mut self.config_source),
            6 => FieldMut::value(&mut self.external_id),
            7 => FieldMut::optional(&mut self.pod_preemption_policy),
            _ => FieldMut::NONE,
        }
    }
}
