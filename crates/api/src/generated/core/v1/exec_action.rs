// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ExecAction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#execaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ExecAction {
    /// [`command`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#execaction-v1-core): optional. Apply replaces the list.
    pub command: List<Str>,
}

impl ExecAction {
    /// Every field empty.
    pub const EMPTY: Self = Self { command: List::EMPTY };
}

client_rs_machinery::message!(ExecAction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExecAction",
    type_meta: None,
    fields: &[Field::new("command", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ExecAction {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.command),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.command),
            _ => FieldMut::NONE,
        }
    }
}
