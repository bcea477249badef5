// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [`ObjectMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ObjectMetricStatus {
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling): optional.
    pub target: CrossVersionObjectReference,
    /// [`metricName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling): optional.
    pub metric_name: Str,
    /// [`currentValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling): optional.
    pub current_value: Quantity,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling): optional.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`averageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectmetricstatus-v1-autoscaling): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.target),
            1 => FieldRef::value(&self.metric_name),
            2 => FieldRef::value(&self.current_value),
            3 => FieldRef::optional(&self.selector),
            4 => FieldRef::value(&self.average_value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.target),
            1 => FieldMut::value(&mut self.metric_name),
            2 => FieldMut::value(&mut self.current_value),
            3 => FieldMut::optional(&mut self.selector),
            4 => FieldMut::value(&mut self.average_value),
            _ => FieldMut::NONE,
        }
    }
}
