// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`ResponderStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ResponderStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io): required. Format `k8s-prefixed-label-key`.
    pub name: Str,
    /// [`startTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io): optional, immutable once set. Updates can't clear or change it.
    pub start_time: Option<Time>,
    /// [`heartbeatTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io): optional.
    pub heartbeat_time: Option<Time>,
    /// [`expectedCompletionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io): optional.
    pub expected_completion_time: Option<Time>,
    /// [`completionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io): optional, immutable once set. Updates can't clear or change it.
    pub completion_time: Option<Time>,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#responderstatus-v1alpha1-lifecycle-k8s-io): optional. At most 4000 characters.
    pub message: Option<Str>,
}

impl ResponderStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        start_time: None,
        heartbeat_time: None,
        expected_completion_time: None,
        completion_time: None,
        message: None,
    };
}

client_rs_machinery::message!(ResponderStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResponderStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("startTime", Flags::OMIT_EMPTY),
        Field::new("heartbeatTime", Flags::OMIT_EMPTY),
        Field::new("expectedCompletionTime", Flags::OMIT_EMPTY),
        Field::new("completionTime", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for ResponderStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.start_time),
            2 => FieldRef::value(&self.heartbeat_time),
            3 => FieldRef::value(&self.expected_completion_time),
            4 => FieldRef::value(&self.completion_time),
            5 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.start_time),
            2 => FieldMut::value(&mut self.heartbeat_time),
            3 => FieldMut::value(&mut self.expected_completion_time),
            4 => FieldMut::value(&mut self.completion_time),
            5 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
