// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`MetricTarget`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metrictarget-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct MetricTarget {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metrictarget-v2-autoscaling): required. Known values: `AverageValue`, `Utilization`, `Value`.
    pub type_: Str,
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metrictarget-v2-autoscaling): optional.
    pub value: Option<Quantity>,
    /// [`averageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metrictarget-v2-autoscaling): optional.
    pub average_value: Option<Quantity>,
    /// [`averageUtilization`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metrictarget-v2-autoscaling): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.value),
            2 => FieldRef::value(&self.average_value),
            3 => FieldRef::value(&self.average_utilization),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.value),
            2 => FieldMut::value(&mut self.average_value),
            3 => FieldMut::value(&mut self.average_utilization),
            _ => FieldMut::NONE,
        }
    }
}
