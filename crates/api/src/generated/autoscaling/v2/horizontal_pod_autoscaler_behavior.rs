// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HPAScalingRules;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`HorizontalPodAutoscalerBehavior`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerbehavior-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct HorizontalPodAutoscalerBehavior {
    /// [`scaleUp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerbehavior-v2-autoscaling): optional.
    pub scale_up: Option<Shared<HPAScalingRules>>,
    /// [`scaleDown`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerbehavior-v2-autoscaling): optional.
    pub scale_down: Option<Shared<HPAScalingRules>>,
}

impl HorizontalPodAutoscalerBehavior {
    /// Every field empty.
    pub const EMPTY: Self = Self { scale_up: None, scale_down: None };
}

client_rs_machinery::message!(HorizontalPodAutoscalerBehavior, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HorizontalPodAutoscalerBehavior",
    type_meta: None,
    fields: &[
        Field::new("scaleUp", Flags::OMIT_EMPTY).of::<HPAScalingRules>(),
        Field::new("scaleDown", Flags::OMIT_EMPTY).of::<HPAScalingRules>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for HorizontalPodAutoscalerBehavior {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.scale_up),
            1 => FieldRef::optional(&self.scale_down),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.scale_up),
            1 => FieldMut::optional(&mut self.scale_down),
            _ => FieldMut::NONE,
        }
    }
}
