// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricIdentifier;
use super::MetricTarget;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ExternalMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricSource {
    /// [`metric`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v2-autoscaling): required.
    pub metric: MetricIdentifier,
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v2-autoscaling): required.
    pub target: MetricTarget,
}

impl ExternalMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { metric: MetricIdentifier::EMPTY, target: MetricTarget::EMPTY };
}

client_rs_machinery::message!(ExternalMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExternalMetricSource",
    type_meta: None,
    fields: &[
        Field::new("metric", Flags::NONE).of::<MetricIdentifier>(),
        Field::new("target", Flags::NONE).of::<MetricTarget>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ExternalMetricSource {
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
