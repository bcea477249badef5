// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`NodeCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeCondition {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core): required. Known values: `DiskPressure`, `DrainInProgress`, `Drained`, `GracefulNodeShutdownInProgress`, `MaintenanceInProgress`, `MaintenancePlanned`, `MemoryPressure`, `NetworkUnavailable`, `PIDPressure`, `Ready`.
    pub type_: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core): required. Known values: `False`, `True`, `Unknown`.
    pub status: Str,
    /// [`lastHeartbeatTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core): optional.
    pub last_heartbeat_time: Option<Time>,
    /// [`lastTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core): optional.
    pub last_transition_time: Option<Time>,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodecondition-v1-core): optional.
    pub message: Str,
}

impl NodeCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        last_heartbeat_time: None,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(NodeCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("lastHeartbeatTime", Flags::NONE),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::always(3, 2),
        Wire::always(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for NodeCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.last_heartbeat_time),
            3 => FieldRef::value(&self.last_transition_time),
            4 => FieldRef::value(&self.reason),
            5 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.last_heartbeat_time),
            3 => FieldMut::value(&mut self.last_transition_time),
            4 => FieldMut::value(&mut self.reason),
            5 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
