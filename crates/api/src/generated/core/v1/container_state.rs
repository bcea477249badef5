// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ContainerStateRunning;
use super::ContainerStateTerminated;
use super::ContainerStateWaiting;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerState`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerState {
    /// [`waiting`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstate-v1-core): optional.
    pub waiting: Option<Shared<ContainerStateWaiting>>,
    /// [`running`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstate-v1-core): optional.
    pub running: Option<Shared<ContainerStateRunning>>,
    /// [`terminated`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstate-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.waiting),
            1 => FieldRef::optional(&self.running),
            2 => FieldRef::optional(&self.terminated),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.waiting),
            1 => FieldMut::optional(&mut self.running),
            2 => FieldMut::optional(&mut self.terminated),
            _ => FieldMut::NONE,
        }
    }
}
