// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricIdentifier;
use super::MetricTarget;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodsMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct PodsMetricSource {
    /// [`metric`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricsource-v2-autoscaling): required.
    pub metric: MetricIdentifier,
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricsource-v2-autoscaling): required.
    pub target: MetricTarget,
}

impl PodsMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { metric: MetricIdentifier::EMPTY, target: MetricTarget::EMPTY };
}

client_rs_machinery::message!(PodsMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodsMetricSource",
    type_meta: None,
    fields: &[
        Field::new("metric", Flags::NONE).of::<MetricIdentifier>(),
        Field::new("target", Flags::NONE).of::<MetricTarget>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodsMetricSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metric),
            1 => FieldRef::message(&self.target),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metric),
            1 => FieldMut::message(&mut self.target),
            _ => FieldMut::NONE,
        }
    }
}
