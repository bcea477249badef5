// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, FieldMut, FieldRef, Fields};

/// [`CustomResourceSubresourceStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcesubresourcestatus-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceSubresourceStatus {}

impl CustomResourceSubresourceStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {};
}

client_rs_machinery::message!(CustomResourceSubresourceStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor =
    Descriptor { name: "CustomResourceSubresourceStatus", type_meta: None, fields: &[], wire: &[] };

impl Fields for CustomResourceSubresourceStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, _: usize) -> FieldRef<'_> {
        FieldRef::NONE
    }

    #[inline(never)]
    fn field_mut(&mut self, _: usize) -> FieldMut<'_> {
        FieldMut::NONE
    }
}
