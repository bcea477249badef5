// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`HorizontalPodAutoscalerSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerspec-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct HorizontalPodAutoscalerSpec {
    /// [`scaleTargetRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerspec-v1-autoscaling): required.
    pub scale_target_ref: CrossVersionObjectReference,
    /// [`minReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerspec-v1-autoscaling): optional. At least 0.
    pub min_replicas: Option<i32>,
    /// [`maxReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerspec-v1-autoscaling): required. At least 1.
    pub max_replicas: i32,
    /// [`targetCPUUtilizationPercentage`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerspec-v1-autoscaling): optional.
    pub target_cpu_utilization_percentage: Option<i32>,
}

impl HorizontalPodAutoscalerSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        scale_target_ref: CrossVersionObjectReference::EMPTY,
        min_replicas: None,
        max_replicas: 0,
        target_cpu_utilization_percentage: None,
    };
}

client_rs_machinery::message!(HorizontalPodAutoscalerSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HorizontalPodAutoscalerSpec",
    type_meta: None,
    fields: &[
        Field::new("scaleTargetRef", Flags::NONE).of::<CrossVersionObjectReference>(),
        Field::new("minReplicas", Flags::OMIT_EMPTY),
        Field::new("maxReplicas", Flags::NONE),
        Field::new("targetCPUUtilizationPercentage", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for HorizontalPodAutoscalerSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.scale_target_ref),
            1 => FieldRef::value(&self.min_replicas),
            2 => FieldRef::value(&self.max_replicas),
            3 => FieldRef::value(&self.target_cpu_utilization_percentage),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.scale_target_ref),
            1 => FieldMut::value(&mut self.min_replicas),
            2 => FieldMut::value(&mut self.max_replicas),
            3 => FieldMut::value(&mut self.target_cpu_utilization_percentage),
            _ => FieldMut::NONE,
        }
    }
}
