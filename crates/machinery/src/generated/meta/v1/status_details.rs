// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatusCause;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use crate::{List, Str};

/// [StatusDetails](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statusdetails-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct StatusDetails {
    pub name: Str,
    pub group: Str,
    pub kind: Str,
    pub uid: Str,
    pub causes: List<StatusCause>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.group,
            2 => &self.kind,
            3 => &self.uid,
            4 => &self.causes,
            5 => &self.retry_after_seconds,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.group,
            2 => &mut self.kind,
            3 => &mut self.uid,
            4 => &mut self.causes,
            5 => &mut self.retry_after_seconds,
            _ => return None,
        })
    }
}
