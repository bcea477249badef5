// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIGroup;
use crate::List;
use crate::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [APIGroupList](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigrouplist-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIGroupList {
    pub groups: List<APIGroup>,
}

impl APIGroupList {
    /// Every field empty.
    pub const EMPTY: Self = Self { groups: List::EMPTY };
}

crate::message!(APIGroupList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIGroupList",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "APIGroupList", everywhere: false }),
    fields: &[Field::new("groups", Flags::NONE).of::<APIGroup>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for APIGroupList {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.groups,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.groups,
            _ => return None,
        })
    }
}
