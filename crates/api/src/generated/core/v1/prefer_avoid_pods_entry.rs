// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodSignature;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`PreferAvoidPodsEntry`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferavoidpodsentry-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PreferAvoidPodsEntry {
    /// [`podSignature`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferavoidpodsentry-v1-core): optional.
    pub pod_signature: PodSignature,
    /// [`evictionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferavoidpodsentry-v1-core): optional.
    pub eviction_time: Option<Time>,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferavoidpodsentry-v1-core): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferavoidpodsentry-v1-core): optional.
    pub message: Str,
}

impl PreferAvoidPodsEntry {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        pod_signature: PodSignature::EMPTY,
        eviction_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(PreferAvoidPodsEntry, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PreferAvoidPodsEntry",
    type_meta: None,
    fields: &[
        Field::new("podSignature", Flags::NONE).of::<PodSignature>(),
        Field::new("evictionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::always(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PreferAvoidPodsEntry {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.pod_signature),
            1 => FieldRef::value(&self.eviction_time),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.pod_signature),
            1 => FieldMut::value(&mut self.eviction_time),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
