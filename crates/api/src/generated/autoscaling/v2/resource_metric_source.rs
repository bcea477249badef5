// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricTarget;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ResourceMetricSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ResourceMetricSource {
    pub name: Str,
    pub target: MetricTarget,
}

impl ResourceMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, target: MetricTarget::EMPTY };
}

client_rs_machinery::message!(ResourceMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceMetricSource",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("target", Flags::NONE).of::<MetricTarget>()],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceMetricSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.target,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.target,
            _ => return None,
        })
    }
}
