// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodSchedulingGate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podschedulinggate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodSchedulingGate {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podschedulinggate-v1-core): required.
    pub name: Str,
}

impl PodSchedulingGate {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY };
}

client_rs_machinery::message!(PodSchedulingGate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodSchedulingGate",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodSchedulingGate {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
