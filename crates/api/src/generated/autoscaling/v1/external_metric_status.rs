// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [ExternalMetricStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#externalmetricstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ExternalMetricStatus {
    pub metric_name: Str,
    pub metric_selector: Option<Shared<LabelSelector>>,
    pub current_value: Quantity,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metric_name,
            1 => &self.metric_selector,
            2 => &self.current_value,
            3 => &self.current_average_value,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metric_name,
            1 => &mut self.metric_selector,
            2 => &mut self.current_value,
            3 => &mut self.current_average_value,
            _ => return None,
        })
    }
}
