// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [GroupVersionForDiscovery](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupversionfordiscovery-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GroupVersionForDiscovery {
    pub group_version: Str,
    pub version: Str,
}

impl GroupVersionForDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self { group_version: Str::EMPTY, version: Str::EMPTY };
}

crate::message!(GroupVersionForDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GroupVersionForDiscovery",
    type_meta: None,
    fields: &[Field::new("groupVersion", Flags::NONE), Field::new("version", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for GroupVersionForDiscovery {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.group_version,
            1 => &self.version,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.group_version,
            1 => &mut self.version,
            _ => return None,
        })
    }
}
