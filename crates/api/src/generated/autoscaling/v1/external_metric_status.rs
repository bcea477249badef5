// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [`ExternalMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricStatus {
    /// [`metricName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v1-autoscaling): optional.
    pub metric_name: Str,
    /// [`metricSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v1-autoscaling): optional.
    pub metric_selector: Option<Shared<LabelSelector>>,
    /// [`currentValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v1-autoscaling): optional.
    pub current_value: Quantity,
    /// [`currentAverageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v1-autoscaling): optional.
    pub current_average_value: Option<Quantity>,
}

impl ExternalMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metric_name: Str::EMPTY,
        metric_selector: None,
        current_value: Quantity::ZERO,
        current_average_value: None,
    };
}

client_rs_machinery::message!(ExternalMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExternalMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("metricName", Flags::NONE),
        Field::new("metricSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("currentValue", Flags::NONE),
        Field::new("currentAverageValue", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ExternalMetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.metric_name),
            1 => FieldRef::optional(&self.metric_selector),
            2 => FieldRef::value(&self.current_value),
            3 => FieldRef::value(&self.current_average_value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.metric_name),
            1 => FieldMut::optional(&mut self.metric_selector),
            2 => FieldMut::value(&mut self.current_value),
            3 => FieldMut::value(&mut self.current_average_value),
            _ => FieldMut::NONE,
        }
    }
}
