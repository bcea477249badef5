// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`ResourceMetricStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceMetricStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricstatus-v1-autoscaling): optional.
    pub name: Str,
    /// [`currentAverageUtilization`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricstatus-v1-autoscaling): optional.
    pub current_average_utilization: Option<i32>,
    /// [`currentAverageValue`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcemetricstatus-v1-autoscaling): optional.
    pub current_average_value: Quantity,
}

impl ResourceMetricStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { name: Str::EMPTY, current_average_utilization: None, current_average_value: Quantity::ZERO };
}

client_rs_machinery::message!(ResourceMetricStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceMetricStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("currentAverageUtilization", Flags::OMIT_EMPTY),
        Field::new("currentAverageValue", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceMetricStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.current_average_utilization),
            2 => FieldRef::value(&self.current_average_value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.current_average_utilization),
            2 => FieldMut::value(&mut self.current_average_value),
            _ => FieldMut::NONE,
        }
    }
}
