// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeSwapStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeswapstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSwapStatus {
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeswapstatus-v1-core): optional.
    pub capacity: Option<i64>,
}

impl NodeSwapStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { capacity: None };
}

client_rs_machinery::message!(NodeSwapStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSwapStatus",
    type_meta: None,
    fields: &[Field::new("capacity", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NodeSwapStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.capacity),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.capacity),
            _ => FieldMut::NONE,
        }
    }
}
