// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Sysctl`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sysctl-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Sysctl {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sysctl-v1-core): required.
    pub name: Str,
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sysctl-v1-core): required.
    pub value: Str,
}

impl Sysctl {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, value: Str::EMPTY };
}

client_rs_machinery::message!(Sysctl, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Sysctl",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("value", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Sysctl {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.value),
            _ => FieldMut::NONE,
        }
    }
}
