// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use super::MetricIdentifier;
use super::MetricValueStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ObjectMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ObjectMetricStatus {
    /// [`metric`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v2-autoscaling): required.
    pub metric: MetricIdentifier,
    /// [`current`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v2-autoscaling): required.
    pub current: MetricValueStatus,
    /// [`describedObject`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v2-autoscaling): required.
    pub described_object: CrossVersionObjectReference,
}

impl ObjectMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metric: MetricIdentifier::EMPTY,
        current: MetricValueStatus::EMPTY,
        described_object: CrossVersionObjectReference::EMPTY,
    };
}

client_rs_machinery::message!(ObjectMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ObjectMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("metric", Flags::NONE).of::<MetricIdentifier>(),
        Field::new("current", Flags::NONE).of::<MetricValueStatus>(),
        Field::new("describedObject", Flags::NONE).of::<CrossVersionObjectReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ObjectMetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metric),
            1 => FieldRef::message(&self.current),
            2 => FieldRef::message(&self.described_object),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metric),
            1 => FieldMut::message(&mut self.current),
            2 => FieldMut::message(&mut self.described_object),
            _ => FieldMut::NONE,
        }
    }
}
