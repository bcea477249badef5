// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podip-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodIP {
    /// [`ip`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podip-v1-core): required.
    pub ip: Str,
}

impl PodIP {
    /// Every field empty.
    pub const EMPTY: Self = Self { ip: Str::EMPTY };
}

client_rs_machinery::message!(PodIP, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodIP",
    type_meta: None,
    fields: &[Field::new("ip", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodIP {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ip),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ip),
            _ => FieldMut::NONE,
        }
    }
}
