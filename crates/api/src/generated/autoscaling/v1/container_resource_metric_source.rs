// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`ContainerResourceMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerResourceMetricSource {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v1-autoscaling): optional.
    pub name: Str,
    /// [`targetAverageUtilization`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v1-autoscaling): optional.
    pub target_average_utilization: Option<i32>,
    /// [`targetAverageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v1-autoscaling): optional.
    pub target_average_value: Option<Quantity>,
    /// [`container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v1-autoscaling): optional.
    pub container: Str,
}

impl ContainerResourceMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        target_average_utilization: None,
        target_average_value: None,
        container: Str::EMPTY,
    };
}

client_rs_machinery::message!(ContainerResourceMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerResourceMetricSource",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("targetAverageUtilization", Flags::OMIT_EMPTY),
        Field::new("targetAverageValue", Flags::OMIT_EMPTY),
        Field::new("container", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(5, 3)],
};

impl Fields for ContainerResourceMetricSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.target_average_utilization),
            2 => FieldRef::value(&self.target_average_value),
            3 => FieldRef::value(&self.container),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.target_average_utilization),
            2 => FieldMut::value(&mut self.target_average_value),
            3 => FieldMut::value(&mut self.container),
            _ => FieldMut::NONE,
        }
    }
}
