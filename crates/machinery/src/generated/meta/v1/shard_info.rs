// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ShardInfo](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#shardinfo-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ShardInfo {
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.selector,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.selector,
            _ => return None,
        })
    }
}
