// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MetricValueStatus;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerResourceMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricstatus-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct ContainerResourceMetricStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricstatus-v2-autoscaling): required.
    pub name: Str,
    /// [`current`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricstatus-v2-autoscaling): required.
    pub current: MetricValueStatus,
    /// [`container`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerresourcemetricstatus-v2-autoscaling): required.
    pub container: Str,
}

impl ContainerResourceMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, current: MetricValueStatus::EMPTY, container: Str::EMPTY };
}

client_rs_machinery::message!(ContainerResourceMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerResourceMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("current", Flags::NONE).of::<MetricValueStatus>(),
        Field::new("container", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ContainerResourceMetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::message(&self.current),
            2 => FieldRef::value(&self.container),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.current),
            2 => FieldMut::value(&mut self.container),
            _ => FieldMut::NONE,
        }
    }
}
