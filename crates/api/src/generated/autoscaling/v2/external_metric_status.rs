// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricIdentifier;
use super::MetricValueStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ExternalMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricStatus {
    /// [`metric`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v2-autoscaling): required.
    pub metric: MetricIdentifier,
    /// [`current`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v2-autoscaling): required.
    pub current: MetricValueStatus,
}

impl ExternalMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { metric: MetricIdentifier::EMPTY, current: MetricValueStatus::EMPTY };
}

client_rs_machinery::message!(ExternalMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExternalMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("metric", Flags::NONE).of::<MetricIdentifier>(),
        Field::new("current", Flags::NONE).of::<MetricValueStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ExternalMetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metric),
            1 => FieldRef::message(&self.current),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metric),
            1 => FieldMut::message(&mut self.current),
            _ => FieldMut::NONE,
        }
    }
}
