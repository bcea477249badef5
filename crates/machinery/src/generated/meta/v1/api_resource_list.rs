// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIResource;
use crate::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};
use crate::{List, Str};

/// [APIResourceList](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresourcelist-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIResourceList {
    pub group_version: Str,
    pub resources: List<APIResource>,
}

impl APIResourceList {
    /// Every field empty.
    pub const EMPTY: Self = Self { group_version: Str::EMPTY, resources: List::EMPTY };
}

crate::message!(APIResourceList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIResourceList",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "APIResourceList", everywhere: false }),
    fields: &[
        Field::new("groupVersion", Flags::NONE),
        Field::new("resources", Flags::NONE).of::<APIResource>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for APIResourceList {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.group_version,
            1 => &self.resources,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.group_version,
            1 => &mut self.resources,
            _ => return None,
        })
    }
}
