// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HPAScalingPolicy;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Quantity, Str};

/// [`HPAScalingRules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingrules-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct HPAScalingRules {
    /// [`stabilizationWindowSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingrules-v2-autoscaling): optional.
    pub stabilization_window_seconds: Option<i32>,
    /// [`selectPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingrules-v2-autoscaling): optional. Known values: `Disabled`, `Max`, `Min`.
    pub select_policy: Option<Str>,
    /// [`policies`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingrules-v2-autoscaling): optional. Apply replaces the list.
    pub policies: List<HPAScalingPolicy>,
    /// [`tolerance`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#hpascalingrules-v2-autoscaling): optional, since 1.33. Feature gate `HPAConfigurableTolerance`.
    pub tolerance: Option<Quantity>,
}

impl HPAScalingRules {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        stabilization_window_seconds: None,
        select_policy: None,
        policies: List::EMPTY,
        tolerance: None,
    };
}

client_rs_machinery::message!(HPAScalingRules, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HPAScalingRules",
    type_meta: None,
    fields: &[
        Field::new("stabilizationWindowSeconds", Flags::OMIT_EMPTY),
        Field::new("selectPolicy", Flags::OMIT_EMPTY),
        Field::new("policies", Flags::OMIT_EMPTY).of::<HPAScalingPolicy>(),
        Field::new("tolerance", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 1), Wire::field(2, 2), Wire::field(3, 0), Wire::field(4, 3)],
};

impl Fields for HPAScalingRules {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.stabilization_window_seconds),
            1 => FieldRef::value(&self.select_policy),
            2 => FieldRef::list(&self.policies),
            3 => FieldRef::value(&self.tolerance),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.stabilization_window_seconds),
            1 => FieldMut::value(&mut self.select_policy),
            2 => FieldMut::list(&mut self.policies),
            3 => FieldMut::value(&mut self.tolerance),
            _ => FieldMut::NONE,
        }
    }
}
