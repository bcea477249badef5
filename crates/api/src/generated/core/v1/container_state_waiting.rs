// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ContainerStateWaiting`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatewaiting-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStateWaiting {
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatewaiting-v1-core): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatewaiting-v1-core): optional.
    pub message: Str,
}

impl ContainerStateWaiting {
    /// Every field empty.
    pub const EMPTY: Self = Self { reason: Str::EMPTY, message: Str::EMPTY };
}

client_rs_machinery::message!(ContainerStateWaiting, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerStateWaiting",
    type_meta: None,
    fields: &[Field::new("reason", Flags::OMIT_EMPTY), Field::new("message", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerStateWaiting {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.reason),
            1 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.reason),
            1 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
