// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`StorageVersionCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io) of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionCondition {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io): required. Known value: `AllEncodingVersionsEqual`.
    pub type_: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io): required. Known values: `False`, `True`, `Unknown`.
    pub status: Str,
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io): optional.
    pub observed_generation: i64,
    /// [`lastTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io): optional.
    pub last_transition_time: Option<Time>,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io): required.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io): required.
    pub message: Str,
}

impl StorageVersionCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        observed_generation: 0,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(StorageVersionCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersionCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::always(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for StorageVersionCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.observed_generation),
            3 => FieldRef::value(&self.last_transition_time),
            4 => FieldRef::value(&self.reason),
            5 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.observed_generation),
            3 => FieldMut::value(&mut self.last_transition_time),
            4 => FieldMut::value(&mut self.reason),
            5 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
