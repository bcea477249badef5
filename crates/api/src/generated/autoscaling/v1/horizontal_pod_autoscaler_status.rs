// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Time;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`HorizontalPodAutoscalerStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerstatus-v1-autoscaling) of `autoscaling/v1`.
#[derive(Clone, PartialEq)]
pub struct HorizontalPodAutoscalerStatus {
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerstatus-v1-autoscaling): optional.
    pub observed_generation: Option<i64>,
    /// [`lastScaleTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerstatus-v1-autoscaling): optional.
    pub last_scale_time: Option<Time>,
    /// [`currentReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerstatus-v1-autoscaling): required.
    pub current_replicas: i32,
    /// [`desiredReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerstatus-v1-autoscaling): required.
    pub desired_replicas: i32,
    /// [`currentCPUUtilizationPercentage`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#horizontalpodautoscalerstatus-v1-autoscaling): optional.
    pub current_cpu_utilization_percentage: Option<i32>,
}

impl HorizontalPodAutoscalerStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        observed_generation: None,
        last_scale_time: None,
        current_replicas: 0,
        desired_replicas: 0,
        current_cpu_utilization_percentage: None,
    };
}

client_rs_machinery::message!(HorizontalPodAutoscalerStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HorizontalPodAutoscalerStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("lastScaleTime", Flags::OMIT_EMPTY),
        Field::new("currentReplicas", Flags::NONE),
        Field::new("desiredReplicas", Flags::NONE),
        Field::new("currentCPUUtilizationPercentage", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for HorizontalPodAutoscalerStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.observed_generation),
            1 => FieldRef::value(&self.last_scale_time),
            2 => FieldRef::value(&self.current_replicas),
            3 => FieldRef::value(&self.desired_replicas),
            4 => FieldRef::value(&self.current_cpu_utilization_percentage),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.observed_generation),
            1 => FieldMut::value(&mut self.last_scale_time),
            2 => FieldMut::value(&mut self.current_replicas),
            3 => FieldMut::value(&mut self.desired_replicas),
            4 => FieldMut::value(&mut self.current_cpu_utilization_percentage),
            _ => FieldMut::NONE,
        }
    }
}
