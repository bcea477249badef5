// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`ContainerStateTerminated`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStateTerminated {
    /// [`exitCode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): required.
    pub exit_code: i32,
    /// [`signal`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): optional.
    pub signal: i32,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): optional.
    pub message: Str,
    /// [`startedAt`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): optional.
    pub started_at: Option<Time>,
    /// [`finishedAt`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): optional.
    pub finished_at: Option<Time>,
    /// [`containerID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core): optional.
    pub container_id: Str,
}

impl ContainerStateTerminated {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        exit_code: 0,
        signal: 0,
        reason: Str::EMPTY,
        message: Str::EMPTY,
        started_at: None,
        finished_at: None,
        container_id: Str::EMPTY,
    };
}

client_rs_machinery::message!(ContainerStateTerminated, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerStateTerminated",
    type_meta: None,
    fields: &[
        Field::new("exitCode", Flags::NONE),
        Field::new("signal", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("startedAt", Flags::NONE),
        Field::new("finishedAt", Flags::NONE),
        Field::new("containerID", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::always(5, 4),
        Wire::always(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for ContainerStateTerminated {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.exit_code),
            1 => FieldRef::value(&self.signal),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.message),
            4 => FieldRef::value(&self.started_at),
            5 => FieldRef::value(&self.finished_at),
            6 => FieldRef::value(&self.container_id),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.exit_code),
            1 => FieldMut::value(&mut self.signal),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.message),
            4 => FieldMut::value(&mut self.started_at),
            5 => FieldMut::value(&mut self.finished_at),
            6 => FieldMut::value(&mut self.container_id),
            _ => FieldMut::NONE,
        }
    }
}
