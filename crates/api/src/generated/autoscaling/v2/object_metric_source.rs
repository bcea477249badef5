// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use super::MetricIdentifier;
use super::MetricTarget;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ObjectMetricSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ObjectMetricSource {
    pub described_object: CrossVersionObjectReference,
    pub target: MetricTarget,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.described_object,
            1 => &self.target,
            2 => &self.metric,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.described_object,
            1 => &mut self.target,
            2 => &mut self.metric,
            _ => return None,
        })
    }
}
