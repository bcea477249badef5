// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [GroupVersion](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupversion-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GroupVersion {
    pub group: Str,
    pub version: Str,
}

impl GroupVersion {
    /// Every field empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY };
}

crate::message!(GroupVersion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GroupVersion",
    type_meta: None,
    fields: &[Field::new("group", Flags::NONE), Field::new("version", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for GroupVersion {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.group,
            1 => &self.version,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.group,
            1 => &mut self.version,
            _ => return None,
        })
    }
}
