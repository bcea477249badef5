// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodFailurePolicyOnPodConditionsPattern`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonpodconditionspattern-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct PodFailurePolicyOnPodConditionsPattern {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonpodconditionspattern-v1-batch): required. Known values: `AllContainersRestarting`, `ContainersReady`, `DisruptionTarget`, `Initialized`, `PodReadyToStartContainers`, `PodResizeInProgress`, `PodResizePending`, `PodScheduled`, `Ready`.
    pub type_: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonpodconditionspattern-v1-batch): optional. Known values: `False`, `True`, `Unknown`. Defaults to `True`.
    pub status: Str,
}

impl PodFailurePolicyOnPodConditionsPattern {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, status: Str::EMPTY };
}

client_rs_machinery::message!(PodFailurePolicyOnPodConditionsPattern, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodFailurePolicyOnPodConditionsPattern",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE), Field::new("status", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodFailurePolicyOnPodConditionsPattern {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}
