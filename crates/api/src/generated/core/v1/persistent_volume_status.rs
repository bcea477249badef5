// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`PersistentVolumeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeStatus {
    /// [`phase`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumestatus-v1-core): optional. One of `Available`, `Bound`, `Failed`, `Pending`, `Released`.
    pub phase: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumestatus-v1-core): optional.
    pub message: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumestatus-v1-core): optional.
    pub reason: Str,
    /// [`lastPhaseTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumestatus-v1-core): optional, since 1.28.
    pub last_phase_transition_time: Option<Time>,
}

impl PersistentVolumeStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { phase: Str::EMPTY, message: Str::EMPTY, reason: Str::EMPTY, last_phase_transition_time: None };
}

client_rs_machinery::message!(PersistentVolumeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeStatus",
    type_meta: None,
    fields: &[
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("lastPhaseTransitionTime", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PersistentVolumeStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.phase),
            1 => FieldRef::value(&self.message),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.last_phase_transition_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.phase),
            1 => FieldMut::value(&mut self.message),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.last_phase_transition_time),
            _ => FieldMut::NONE,
        }
    }
}
