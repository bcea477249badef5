// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Map, Quantity, Str, Time};

/// `ExternalMetricValue` of `external.metrics.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricValue {
    /// `metricName`: optional.
    pub metric_name: Str,
    /// `metricLabels`: optional.
    pub metric_labels: Map<Str>,
    /// `timestamp`: optional.
    pub timestamp: Option<Time>,
    /// `window`: optional.
    pub window: Option<i64>,
    /// `value`: optional.
    pub value: Quantity,
}

impl ExternalMetricValue {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metric_name: Str::EMPTY,
        metric_labels: Map::EMPTY,
        timestamp: None,
        window: None,
        value: Quantity::ZERO,
    };
}

client_rs_machinery::message!(ExternalMetricValue, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExternalMetricValue",
    type_meta: Some(TypeMeta {
        api_version: "external.metrics.k8s.io/v1beta1",
        kind: "ExternalMetricValue",
        everywhere: false,
    }),
    fields: &[
        Field::new("metricName", Flags::NONE),
        Field::new("metricLabels", Flags::NONE),
        Field::new("timestamp", Flags::NONE),
        Field::new("window", Flags::OMIT_EMPTY),
        Field::new("value", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::always(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ExternalMetricValue {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.metric_name),
            1 => FieldRef::value(&self.metric_labels),
            2 => FieldRef::value(&self.timestamp),
            3 => FieldRef::value(&self.window),
            4 => FieldRef::value(&self.value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.metric_name),
            1 => FieldMut::value(&mut self.metric_labels),
            2 => FieldMut::value(&mut self.timestamp),
            3 => FieldMut::value(&mut self.window),
            4 => FieldMut::value(&mut self.value),
            _ => FieldMut::NONE,
        }
    }
}
