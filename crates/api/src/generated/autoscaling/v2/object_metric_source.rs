// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use super::MetricIdentifier;
use super::MetricTarget;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ObjectMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ObjectMetricSource {
    /// [`describedObject`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricsource-v2-autoscaling): required.
    pub described_object: CrossVersionObjectReference,
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricsource-v2-autoscaling): required.
    pub target: MetricTarget,
    /// [`metric`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricsource-v2-autoscaling): required.
    pub metric: MetricIdentifier,
}

impl ObjectMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        described_object: CrossVersionObjectReference::EMPTY,
        target: MetricTarget::EMPTY,
        metric: MetricIdentifier::EMPTY,
    };
}

client_rs_machinery::message!(ObjectMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ObjectMetricSource",
    type_meta: None,
    fields: &[
        Field::new("describedObject", Flags::NONE).of::<CrossVersionObjectReference>(),
        Field::new("target", Flags::NONE).of::<MetricTarget>(),
        Field::new("metric", Flags::NONE).of::<MetricIdentifier>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ObjectMetricSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.described_object),
            1 => FieldRef::message(&self.target),
            2 => FieldRef::message(&self.metric),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.described_object),
            1 => FieldMut::message(&mut self.target),
            2 => FieldMut::message(&mut self.metric),
            _ => FieldMut::NONE,
        }
    }
}
