// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, FieldMut, FieldRef, Fields};

/// [`AllCompositeDisruptionMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#allcompositedisruptionmode-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct AllCompositeDisruptionMode {}

impl AllCompositeDisruptionMode {
    /// Every field empty.
    pub const EMPTY: Self = Self {};
}

client_rs_machinery::message!(AllCompositeDisruptionMode, DESCRIPTOR);

static DESCRIPTOR: Descriptor =
    Descriptor { name: "AllCompositeDisruptionMode", type_meta: None, fields: &[], wire: &[] };

impl Fields for AllCompositeDisruptionMode {
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
