// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerResourceMetricStatus;
use super::ExternalMetricStatus;
use super::ObjectMetricStatus;
use super::PodsMetricStatus;
use super::ResourceMetricStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`MetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct MetricStatus {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling): required. Known values: `ContainerResource`, `External`, `Object`, `Pods`, `Resource`.
    pub type_: Str,
    /// [`object`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling): optional.
    pub object: Option<Shared<ObjectMetricStatus>>,
    /// [`pods`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling): optional.
    pub pods: Option<Shared<PodsMetricStatus>>,
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling): optional.
    pub resource: Option<Shared<ResourceMetricStatus>>,
    /// [`containerResource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling): optional.
    pub container_resource: Option<Shared<ContainerResourceMetricStatus>>,
    /// [`external`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricstatus-v2-autoscaling): optional.
    pub external: Option<Shared<ExternalMetricStatus>>,
}

impl MetricStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        object: None,
        pods: None,
        resource: None,
        container_resource: None,
        external: None,
    };
}

client_rs_machinery::message!(MetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricStatus",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("object", Flags::OMIT_EMPTY).of::<ObjectMetricStatus>(),
        Field::new("pods", Flags::OMIT_EMPTY).of::<PodsMetricStatus>(),
        Field::new("resource", Flags::OMIT_EMPTY).of::<ResourceMetricStatus>(),
        Field::new("containerResource", Flags::OMIT_EMPTY).of::<ContainerResourceMetricStatus>(),
        Field::new("external", Flags::OMIT_EMPTY).of::<ExternalMetricStatus>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 5),
        Wire::field(7, 4),
    ],
};

impl Fields for MetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::optional(&self.object),
            2 => FieldRef::optional(&self.pods),
            3 => FieldRef::optional(&self.resource),
            4 => FieldRef::optional(&self.container_resource),
            5 => FieldRef::optional(&self.external),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::optional(&mut self.object),
            2 => FieldMut::optional(&mut self.pods),
            3 => FieldMut::optional(&mut self.resource),
            4 => FieldMut::optional(&mut self.container_resource),
            5 => FieldMut::optional(&mut self.external),
            _ => FieldMut::NONE,
        }
    }
}
