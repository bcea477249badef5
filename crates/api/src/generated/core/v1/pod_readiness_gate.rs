// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodReadinessGate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podreadinessgate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodReadinessGate {
    /// [`conditionType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podreadinessgate-v1-core): required. Known values: `AllContainersRestarting`, `ContainersReady`, `DisruptionTarget`, `Initialized`, `PodReadyToStartContainers`, `PodResizeInProgress`, `PodResizePending`, `PodScheduled`, `Ready`.
    pub condition_type: Str,
}

impl PodReadinessGate {
    /// Every field empty.
    pub const EMPTY: Self = Self { condition_type: Str::EMPTY };
}

client_rs_machinery::message!(PodReadinessGate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodReadinessGate",
    type_meta: None,
    fields: &[Field::new("conditionType", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodReadinessGate {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.condition_type),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.condition_type),
            _ => FieldMut::NONE,
        }
    }
}
