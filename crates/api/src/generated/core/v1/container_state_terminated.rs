// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [ContainerStateTerminated](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstateterminated-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStateTerminated {
    pub exit_code: i32,
    pub signal: i32,
    pub reason: Str,
    pub message: Str,
    pub started_at: Option<Time>,
    pub finished_at: Option<Time>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.exit_code,
            1 => &self.signal,
            2 => &self.reason,
            3 => &self.message,
            4 => &self.started_at,
            5 => &self.finished_at,
            6 => &self.container_id,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.exit_code,
            1 => &mut self.signal,
            2 => &mut self.reason,
            3 => &mut self.message,
            4 => &mut self.started_at,
            5 => &mut self.finished_at,
            6 => &mut self.container_id,
            _ => return None,
        })
    }
}
