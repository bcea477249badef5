// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricIdentifier;
use super::MetricTarget;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ExternalMetricSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricSource {
    pub metric: MetricIdentifier,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metric,
            1 => &self.target,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metric,
            1 => &mut self.target,
            _ => return None,
        })
    }
}
