// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, FieldMut, FieldRef, Fields};

/// [`CompositeBasicSchedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositebasicschedulingpolicy-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CompositeBasicSchedulingPolicy {}

impl CompositeBasicSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self {};
}

client_rs_machinery::message!(CompositeBasicSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor =
    Descriptor { name: "CompositeBasicSchedulingPolicy", type_meta: None, fields: &[], wire: &[] };

impl Fields for CompositeBasicSchedulingPolicy {
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
