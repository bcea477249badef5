// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Quantity, Str};

/// [MetricTarget](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metrictarget-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct MetricTarget {
    pub type_: Str,
    pub value: Option<Quantity>,
    pub average_value: Option<Quantity>,
    pub average_utilization: Option<i32>,
}

impl MetricTarget {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { type_: Str::EMPTY, value: None, average_value: None, average_utilization: None };
}

client_rs_machinery::message!(MetricTarget, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricTarget",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("value", Flags::OMIT_EMPTY),
        Field::new("averageValue", Flags::OMIT_EMPTY),
        Field::new("averageUtilization", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for MetricTarget {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.value,
            2 => &self.average_value,
            3 => &self.average_utilization,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.value,
            2 => &mut self.average_value,
            3 => &mut self.average_utilization,
            _ => return None,
        })
    }
}
