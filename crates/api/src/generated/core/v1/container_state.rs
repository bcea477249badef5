// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerStateRunning;
use super::ContainerStateTerminated;
use super::ContainerStateWaiting;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ContainerState](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerState {
    pub waiting: Option<Shared<ContainerStateWaiting>>,
    pub running: Option<Shared<ContainerStateRunning>>,
    pub terminated: Option<Shared<ContainerStateTerminated>>,
}

impl ContainerState {
    /// Every field empty.
    pub const EMPTY: Self = Self { waiting: None, running: None, terminated: None };
}

client_rs_machinery::message!(ContainerState, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerState",
    type_meta: None,
    fields: &[
        Field::new("waiting", Flags::OMIT_EMPTY).of::<ContainerStateWaiting>(),
        Field::new("running", Flags::OMIT_EMPTY).of::<ContainerStateRunning>(),
        Field::new("terminated", Flags::OMIT_EMPTY).of::<ContainerStateTerminated>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ContainerState {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.waiting,
            1 => &self.running,
            2 => &self.terminated,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.waiting,
            1 => &mut self.running,
            2 => &mut self.terminated,
            _ => return None,
        })
    }
}
