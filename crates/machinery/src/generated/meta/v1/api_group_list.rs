// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIGroup;
use crate::List;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`APIGroupList`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigrouplist-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIGroupList {
    /// [`groups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigrouplist-v1-meta): required. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.groups),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.groups),
            _ => FieldMut::NONE,
        }
    }
}
