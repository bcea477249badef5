// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricTarget;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourceMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ResourceMetricSource {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricsource-v2-autoscaling): required.
    pub name: Str,
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricsource-v2-autoscaling): required.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::message(&self.target),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.target),
            _ => FieldMut::NONE,
        }
    }
}
