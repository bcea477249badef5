// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodPortForwardOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podportforwardoptions-v1-core) of `core/v1`. Since 1.6.
#[derive(Clone, PartialEq)]
pub struct PodPortForwardOptions {
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podportforwardoptions-v1-core): optional.
    pub ports: List<i32>,
}

impl PodPortForwardOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { ports: List::EMPTY };
}

client_rs_machinery::message!(PodPortForwardOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodPortForwardOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodPortForwardOptions", everywhere: false }),
    fields: &[Field::new("ports", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodPortForwardOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ports),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ports),
            _ => FieldMut::NONE,
        }
    }
}
