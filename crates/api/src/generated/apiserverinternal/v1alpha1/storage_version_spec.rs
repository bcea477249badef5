// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, FieldMut, FieldRef, Fields};

/// [`StorageVersionSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionspec-v1alpha1-internal-apiserver-k8s-io) of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionSpec {}

impl StorageVersionSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {};
}

client_rs_machinery::message!(StorageVersionSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor =
    Descriptor { name: "StorageVersionSpec", type_meta: None, fields: &[], wire: &[] };

impl Fields for StorageVersionSpec {
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
