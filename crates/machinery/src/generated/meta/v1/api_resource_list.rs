// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIResource;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{List, Str};

/// [`APIResourceList`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresourcelist-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIResourceList {
    /// [`groupVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresourcelist-v1-meta): required.
    pub group_version: Str,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresourcelist-v1-meta): required. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.group_version),
            1 => FieldRef::list(&self.resources),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.group_version),
            1 => FieldMut::list(&mut self.resources),
            _ => FieldMut::NONE,
        }
    }
}
