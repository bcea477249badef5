// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`HPAScalingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingpolicy-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct HPAScalingPolicy {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingpolicy-v2-autoscaling): required. Known values: `Percent`, `Pods`.
    pub type_: Str,
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingpolicy-v2-autoscaling): required.
    pub value: i32,
    /// [`periodSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingpolicy-v2-autoscaling): required.
    pub period_seconds: i32,
}

impl HPAScalingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, value: 0, period_seconds: 0 };
}

client_rs_machinery::message!(HPAScalingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HPAScalingPolicy",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("value", Flags::NONE),
        Field::new("periodSeconds", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for HPAScalingPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.value),
            2 => FieldRef::value(&self.period_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.value),
            2 => FieldMut::value(&mut self.period_seconds),
            _ => FieldMut::NONE,
        }
    }
}
