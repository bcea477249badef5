// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [`ExternalMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricSource {
    /// [`metricName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v1-autoscaling): optional.
    pub metric_name: Str,
    /// [`metricSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v1-autoscaling): optional.
    pub metric_selector: Option<Shared<LabelSelector>>,
    /// [`targetValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v1-autoscaling): optional.
    pub target_value: Option<Quantity>,
    /// [`targetAverageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricsource-v1-autoscaling): optional.
    pub target_average_value: Option<Quantity>,
}

impl ExternalMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metric_name: Str::EMPTY,
        metric_selector: None,
        target_value: None,
        target_average_value: None,
    };
}

client_rs_machinery::message!(ExternalMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExternalMetricSource",
    type_meta: None,
    fields: &[
        Field::new("metricName", Flags::NONE),
        Field::new("metricSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("targetValue", Flags::OMIT_EMPTY),
        Field::new("targetAverageValue", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ExternalMetricSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.metric_name),
            1 => FieldRef::optional(&self.metric_selector),
            2 => FieldRef::value(&self.target_value),
            3 => FieldRef::value(&self.target_average_value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.metric_name),
            1 => FieldMut::optional(&mut self.metric_selector),
            2 => FieldMut::value(&mut self.target_value),
            3 => FieldMut::value(&mut self.target_average_value),
            _ => FieldMut::NONE,
        }
    }
}
