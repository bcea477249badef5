// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`PodCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodCondition {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): required. Known values: `AllContainersRestarting`, `ContainersReady`, `DisruptionTarget`, `Initialized`, `PodReadyToStartContainers`, `PodResizeInProgress`, `PodResizePending`, `PodScheduled`, `Ready`.
    pub type_: Str,
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): optional, since 1.33.
    pub observed_generation: i64,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): required. Known values: `False`, `True`, `Unknown`.
    pub status: Str,
    /// [`lastProbeTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): optional.
    pub last_probe_time: Option<Time>,
    /// [`lastTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): optional.
    pub last_transition_time: Option<Time>,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcondition-v1-core): optional.
    pub message: Str,
}

impl PodCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        observed_generation: 0,
        status: Str::EMPTY,
        last_probe_time: None,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(PodCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("status", Flags::NONE),
        Field::new("lastProbeTime", Flags::NONE),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::always(3, 3),
        Wire::always(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 6),
        Wire::field(7, 1),
    ],
};

impl Fields for PodCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.observed_generation),
            2 => FieldRef::value(&self.status),
            3 => FieldRef::value(&self.last_probe_time),
            4 => FieldRef::value(&self.last_transition_time),
            5 => FieldRef::value(&self.reason),
            6 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.observed_generation),
            2 => FieldMut::value(&mut self.status),
            3 => FieldMut::value(&mut self.last_probe_time),
            4 => FieldMut::value(&mut self.last_transition_time),
            5 => FieldMut::value(&mut self.reason),
            6 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
