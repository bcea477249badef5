// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ListMeta;
use super::StatusDetails;
use crate::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};
use crate::{Shared, Str};

/// [Status](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#status-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Status {
    pub metadata: ListMeta,
    pub status: Str,
    pub message: Str,
    pub reason: Str,
    pub details: Option<Shared<StatusDetails>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.status,
            2 => &self.message,
            3 => &self.reason,
            4 => &self.details,
            5 => &self.code,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.status,
            2 => &mut self.message,
            3 => &mut self.reason,
            4 => &mut self.details,
            5 => &mut self.code,
            _ => return None,
        })
    }
}
