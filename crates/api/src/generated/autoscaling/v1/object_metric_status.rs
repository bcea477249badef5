// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [ObjectMetricStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ObjectMetricStatus {
    pub target: CrossVersionObjectReference,
    pub metric_name: Str,
    pub current_value: Quantity,
    pub selector: Option<Shared<LabelSelector>>,
    pub average_value: Option<Quantity>,
}

impl ObjectMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        target: CrossVersionObjectReference::EMPTY,
        metric_name: Str::EMPTY,
        current_value: Quantity::ZERO,
        selector: None,
        average_value: None,
    };
}

client_rs_machinery::message!(ObjectMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ObjectMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("target", Flags::NONE).of::<CrossVersionObjectReference>(),
        Field::new("metricName", Flags::NONE),
        Field::new("currentValue", Flags::NONE),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("averageValue", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ObjectMetricStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.target,
            1 => &self.metric_name,
            2 => &self.current_value,
            3 => &self.selector,
            4 => &self.average_value,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.target,
            1 => &mut self.metric_name,
            2 => &mut self.current_value,
            3 => &mut self.selector,
            4 => &mut self.average_value,
            _ => return None,
        })
    }
}
