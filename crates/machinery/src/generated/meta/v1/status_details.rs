// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatusCause;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Str};

/// [`StatusDetails`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct StatusDetails {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta): optional.
    pub name: Str,
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta): optional.
    pub group: Str,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta): optional.
    pub kind: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta): optional.
    pub uid: Str,
    /// [`causes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta): optional. Apply replaces the list.
    pub causes: List<StatusCause>,
    /// [`retryAfterSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta): optional.
    pub retry_after_seconds: i32,
}

impl StatusDetails {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        group: Str::EMPTY,
        kind: Str::EMPTY,
        uid: Str::EMPTY,
        causes: List::EMPTY,
        retry_after_seconds: 0,
    };
}

crate::message!(StatusDetails, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatusDetails",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("kind", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("causes", Flags::OMIT_EMPTY).of::<StatusCause>(),
        Field::new("retryAfterSeconds", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 3),
    ],
};

impl Fields for StatusDetails {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.group),
            2 => FieldRef::value(&self.kind),
            3 => FieldRef::value(&self.uid),
            4 => FieldRef::list(&self.causes),
            5 => FieldRef::value(&self.retry_after_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.group),
            2 => FieldMut::value(&mut self.kind),
            3 => FieldMut::value(&mut self.uid),
            4 => FieldMut::list(&mut self.causes),
            5 => FieldMut::value(&mut self.retry_after_seconds),
            _ => FieldMut::NONE,
        }
    }
}
