// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ShardInfo`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shardinfo-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ShardInfo {
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shardinfo-v1-meta): required.
    pub selector: Str,
}

impl ShardInfo {
    /// Every field empty.
    pub const EMPTY: Self = Self { selector: Str::EMPTY };
}

crate::message!(ShardInfo, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ShardInfo",
    type_meta: None,
    fields: &[Field::new("selector", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ShardInfo {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.selector),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.selector),
            _ => FieldMut::NONE,
        }
    }
}
