// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricIdentifier;
use crate::core::v1::ObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Quantity, Shared, Time};

/// `MetricValue` of `custom.metrics.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct MetricValue {
    /// `describedObject`: optional.
    pub described_object: Shared<ObjectReference>,
    /// `metric`: optional.
    pub metric: MetricIdentifier,
    /// `timestamp`: optional.
    pub timestamp: Option<Time>,
    /// `windowSeconds`: optional.
    pub window_seconds: Option<i64>,
    /// `value`: optional.
    pub value: Quantity,
}

impl MetricValue {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        described_object: Shared::DEFAULT,
        metric: MetricIdentifier::EMPTY,
        timestamp: None,
        window_seconds: None,
        value: Quantity::ZERO,
    };
}

client_rs_machinery::message!(MetricValue, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricValue",
    type_meta: Some(TypeMeta {
        api_version: "custom.metrics.k8s.io/v1beta2",
        kind: "MetricValue",
        everywhere: false,
    }),
    fields: &[
        Field::new("describedObject", Flags::NONE).of::<ObjectReference>(),
        Field::new("metric", Flags::NONE).of::<MetricIdentifier>(),
        Field::new("timestamp", Flags::NONE),
        Field::new("windowSeconds", Flags::OMIT_EMPTY),
        Field::new("value", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::always(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for MetricValue {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::shared(&self.described_object),
            1 => FieldRef::message(&self.metric),
            2 => FieldRef::value(&self.timestamp),
            3 => FieldRef::value(&self.window_seconds),
            4 => FieldRef::value(&self.value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::shared(&mut self.described_object),
            1 => FieldMut::message(&mut self.metric),
            2 => FieldMut::value(&mut self.timestamp),
            3 => FieldMut::value(&mut self.window_seconds),
            4 => FieldMut::value(&mut self.value),
            _ => FieldMut::NONE,
        }
    }
}
