// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [`PodsMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct PodsMetricStatus {
    /// [`metricName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricstatus-v1-autoscaling): optional.
    pub metric_name: Str,
    /// [`currentAverageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricstatus-v1-autoscaling): optional.
    pub current_average_value: Quantity,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podsmetricstatus-v1-autoscaling): optional.
    pub selector: Option<Shared<LabelSelector>>,
}

impl PodsMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metric_name: Str::EMPTY, current_average_value: Quantity::ZERO, selector: None };
}

client_rs_machinery::message!(PodsMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodsMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("metricName", Flags::NONE),
        Field::new("currentAverageValue", Flags::NONE),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodsMetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.metric_name),
            1 => FieldRef::value(&self.current_average_value),
            2 => FieldRef::optional(&self.selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.metric_name),
            1 => FieldMut::value(&mut self.current_average_value),
            2 => FieldMut::optional(&mut self.selector),
            _ => FieldMut::NONE,
        }
    }
}
