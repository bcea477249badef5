// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `MetricListOptions` of `custom.metrics.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct MetricListOptions {
    /// `labelSelector`: optional.
    pub label_selector: Str,
    /// `metricLabelSelector`: optional.
    pub metric_label_selector: Str,
}

impl MetricListOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { label_selector: Str::EMPTY, metric_label_selector: Str::EMPTY };
}

client_rs_machinery::message!(MetricListOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricListOptions",
    type_meta: Some(TypeMeta {
        api_version: "custom.metrics.k8s.io/v1beta2",
        kind: "MetricListOptions",
        everywhere: false,
    }),
    fields: &[
        Field::new("labelSelector", Flags::OMIT_EMPTY),
        Field::new("metricLabelSelector", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MetricListOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.label_selector),
            1 => FieldRef::value(&self.metric_label_selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.label_selector),
            1 => FieldMut::value(&mut self.metric_label_selector),
            _ => FieldMut::NONE,
        }
    }
}
