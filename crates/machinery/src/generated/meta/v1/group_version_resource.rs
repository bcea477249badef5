// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [GroupVersionResource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#groupversionresource-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GroupVersionResource {
    pub group: Str,
    pub version: Str,
    pub resource: Str,
}

impl GroupVersionResource {
    /// Every field empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY, resource: Str::EMPTY };
}

crate::message!(GroupVersionResource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GroupVersionResource",
    type_meta: None,
    fields: &[
        Field::new("group", Flags::NONE),
        Field::new("version", Flags::NONE),
        Field::new("resource", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for GroupVersionResource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.group,
            1 => &self.version,
            2 => &self.resource,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.group,
            1 => &mut self.version,
            2 => &mut self.resource,
            _ => return None,
        })
    }
}
