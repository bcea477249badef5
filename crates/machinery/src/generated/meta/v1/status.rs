// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ListMeta;
use super::StatusDetails;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{Shared, Str};

/// [`Status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Status {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta): optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta): optional. The observed state.
    pub status: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta): optional.
    pub message: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta): optional.
    pub reason: Str,
    /// [`details`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta): optional.
    pub details: Option<Shared<StatusDetails>>,
    /// [`code`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta): optional.
    pub code: i32,
}

impl Status {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ListMeta::EMPTY,
        status: Str::EMPTY,
        message: Str::EMPTY,
        reason: Str::EMPTY,
        details: None,
        code: 0,
    };
}

crate::message!(Status, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Status",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Status", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("status", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("details", Flags::OMIT_EMPTY).of::<StatusDetails>(),
        Field::new("code", Flags::OMIT_EMPTY),
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

impl Fields for Status {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.message),
            3 => FieldRef::value(&self.reason),
            4 => FieldRef::optional(&self.details),
            5 => FieldRef::value(&self.code),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.message),
            3 => FieldMut::value(&mut self.reason),
            4 => FieldMut::optional(&mut self.details),
            5 => FieldMut::value(&mut self.code),
            _ => FieldMut::NONE,
        }
    }
}
