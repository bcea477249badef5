// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::ObjectReference;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Quantity, Shared, Str, Time};

/// `MetricValue` of `custom.metrics.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct MetricValue {
    /// `describedObject`: optional.
    pub described_object: Shared<ObjectReference>,
    /// `metricName`: optional.
    pub metric_name: Str,
    /// `timestamp`: optional.
    pub timestamp: Option<Time>,
    /// `window`: optional.
    pub window: Option<i64>,
    /// `value`: optional.
    pub value: Quantity,
    /// `selector`: optional.
    pub selector: Option<Shared<LabelSelector>>,
}

impl MetricValue {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        described_object: Shared::DEFAULT,
        metric_name: Str::EMPTY,
        timestamp: None,
        window: None,
        value: Quantity::ZERO,
        selector: None,
    };
}

client_rs_machinery::message!(MetricValue, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricValue",
    type_meta: Some(TypeMeta {
        api_version: "custom.metrics.k8s.io/v1beta1",
        kind: "MetricValue",
        everywhere: false,
    }),
    fields: &[
        Field::new("describedObject", Flags::NONE).of::<ObjectReference>(),
        Field::new("metricName", Flags::NONE),
        Field::new("timestamp", Flags::NONE),
        Field::new("window", Flags::OMIT_EMPTY),
        Field::new("value", Flags::NONE),
        Field::new("selector", Flags::NONE).of::<LabelSelector>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::always(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
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
            1 => FieldRef::value(&self.metric_name),
            2 => FieldRef::value(&self.timestamp),
            3 => FieldRef::value(&self.window),
            4 => FieldRef::value(&self.value),
            5 => FieldRef::optional(&self.selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::shared(&mut self.described_object),
            1 => FieldMut::value(&mut self.metric_name),
            2 => FieldMut::value(&mut self.timestamp),
            3 => FieldMut::value(&mut self.window),
            4 => FieldMut::value(&mut self.value),
            5 => FieldMut::optional(&mut self.selector),
            _ => FieldMut::NONE,
        }
    }
}
