// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CrossVersionObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [HorizontalPodAutoscalerSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerspec-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct HorizontalPodAutoscalerSpec {
    pub scale_target_ref: CrossVersionObjectReference,
    pub min_replicas: Option<i32>,
    pub max_replicas: i32,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.scale_target_ref,
            1 => &self.min_replicas,
            2 => &self.max_replicas,
            3 => &self.target_cpu_utilization_percentage,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.scale_target_ref,
            1 => &mut self.min_replicas,
            2 => &mut self.max_replicas,
            3 => &mut self.target_cpu_utilization_percentage,
            _ => return None,
        })
    }
}
