// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricTarget;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerResourceMetricSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ContainerResourceMetricSource {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v2-autoscaling): required.
    pub name: Str,
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v2-autoscaling): required.
    pub target: MetricTarget,
    /// [`container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricsource-v2-autoscaling): required.
    pub container: Str,
}

impl ContainerResourceMetricSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, target: MetricTarget::EMPTY, container: Str::EMPTY };
}

client_rs_machinery::message!(ContainerResourceMetricSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerResourceMetricSource",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("target", Flags::NONE).of::<MetricTarget>(),
        Field::new("container", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
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
            1 => FieldRef::message(&self.target),
            2 => FieldRef::value(&self.container),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.target),
            2 => FieldMut::value(&mut self.container),
            _ => FieldMut::NONE,
        }
    }
}
