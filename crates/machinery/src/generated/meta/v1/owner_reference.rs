// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`OwnerReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct OwnerReference {
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta): required.
    pub api_version: Str,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta): required.
    pub kind: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta): required.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta): required.
    pub uid: Str,
    /// [`controller`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta): optional.
    pub controller: Option<bool>,
    /// [`blockOwnerDeletion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ownerreference-v1-meta): optional. Defaults to `false`.
    pub block_owner_deletion: Option<bool>,
}

impl OwnerReference {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        api_version: Str::EMPTY,
        kind: Str::EMPTY,
        name: Str::EMPTY,
        uid: Str::EMPTY,
        controller: None,
        block_owner_deletion: None,
    };
}

crate::message!(OwnerReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "OwnerReference",
    type_meta: None,
    fields: &[
        Field::new("apiVersion", Flags::NONE),
        Field::new("kind", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("uid", Flags::NONE),
        Field::new("controller", Flags::OMIT_EMPTY),
        Field::new("blockOwnerDeletion", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 0),
        Wire::field(6, 4),
        Wire::field(7, 5),
    ],
};

impl Fields for OwnerReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_version),
            1 => FieldRef::value(&self.kind),
            2 => FieldRef::value(&self.name),
            3 => FieldRef::value(&self.uid),
            4 => FieldRef::value(&self.controller),
            5 => FieldRef::value(&self.block_owner_deletion),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_version),
            1 => FieldMut::value(&mut self.kind),
            2 => FieldMut::value(&mut self.name),
            3 => FieldMut::value(&mut self.uid),
            4 => FieldMut::value(&mut self.controller),
            5 => FieldMut::value(&mut self.block_owner_deletion),
            _ => FieldMut::NONE,
        }
    }
}
