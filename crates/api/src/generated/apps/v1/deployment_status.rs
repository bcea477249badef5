// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeploymentCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeploymentStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentStatus {
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub observed_generation: i64,
    /// [`replicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub replicas: i32,
    /// [`updatedReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub updated_replicas: i32,
    /// [`readyReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub ready_replicas: i32,
    /// [`availableReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub available_replicas: i32,
    /// [`unavailableReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub unavailable_replicas: i32,
    /// [`terminatingReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional, since 1.33.
    pub terminating_replicas: Option<i32>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<DeploymentCondition>,
    /// [`collisionCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1-apps): optional.
    pub collision_count: Option<i32>,
}

impl DeploymentStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        observed_generation: 0,
        replicas: 0,
        updated_replicas: 0,
        ready_replicas: 0,
        available_replicas: 0,
        unavailable_replicas: 0,
        terminating_replicas: None,
        conditions: List::EMPTY,
        collision_count: None,
    };
}

client_rs_machinery::message!(DeploymentStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("updatedReplicas", Flags::OMIT_EMPTY),
        Field::new("readyReplicas", Flags::OMIT_EMPTY),
        Field::new("availableReplicas", Flags::OMIT_EMPTY),
        Field::new("unavailableReplicas", Flags::OMIT_EMPTY),
        Field::new("terminatingReplicas", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<DeploymentCondition>()
            .merged_by("type"),
        Field::new("collisionCount", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 7),
        Wire::field(7, 3),
        Wire::field(8, 8),
        Wire::field(9, 6),
    ],
};

impl Fields for DeploymentStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.observed_generation),
            1 => FieldRef::value(&self.replicas),
            2 => FieldRef::value(&self.updated_replicas),
            3 => FieldRef::value(&self.ready_replicas),
            4 => FieldRef::value(&self.available_replicas),
            5 => FieldRef::value(&self.unavailable_replicas),
            6 => FieldRef::value(&self.terminating_replicas),
            7 => FieldRef::list(&self.conditions),
            8 => FieldRef::value(&self.collision_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.observed_generation),
            1 => FieldMut::value(&mut self.replicas),
            2 => FieldMut::value(&mut self.updated_replicas),
            3 => FieldMut::value(&mut self.ready_replicas),
            4 => FieldMut::value(&mut self.available_replicas),
            5 => FieldMut::value(&mut self.unavailable_replicas),
            6 => FieldMut::value(&mut self.terminating_replicas),
            7 => FieldMut::list(&mut self.conditions),
            8 => FieldMut::value(&mut self.collision_count),
            _ => FieldMut::NONE,
        }
    }
}
