// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SleepAction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sleepaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SleepAction {
    /// [`seconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sleepaction-v1-core): required.
    pub seconds: i64,
}

impl SleepAction {
    /// Every field empty.
    pub const EMPTY: Self = Self { seconds: 0 };
}

client_rs_machinery::message!(SleepAction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SleepAction",
    type_meta: None,
    fields: &[Field::new("seconds", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SleepAction {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.seconds),
            _ => FieldMut::NONE,
        }
    }
}
