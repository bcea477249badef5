// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Time;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerStateRunning`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstaterunning-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStateRunning {
    /// [`startedAt`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstaterunning-v1-core): optional.
    pub started_at: Option<Time>,
}

impl ContainerStateRunning {
    /// Every field empty.
    pub const EMPTY: Self = Self { started_at: None };
}

client_rs_machinery::message!(ContainerStateRunning, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerStateRunning",
    type_meta: None,
    fields: &[Field::new("startedAt", Flags::NONE)],
    wire: &[Wire::always(1, 0)],
};

impl Fields for ContainerStateRunning {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.started_at),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.started_at),
            _ => FieldMut::NONE,
        }
    }
}
