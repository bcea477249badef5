// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Str};

/// [ImageReviewStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#imagereviewstatus-v1alpha1-imagepolicy-k8s-io) of `imagepolicy.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ImageReviewStatus {
    pub allowed: bool,
    pub reason: Str,
    pub audit_annotations: Map<Str>,
}

impl ImageReviewStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { allowed: false, reason: Str::EMPTY, audit_annotations: Map::EMPTY };
}

client_rs_machinery::message!(ImageReviewStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageReviewStatus",
    type_meta: None,
    fields: &[
        Field::new("allowed", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("auditAnnotations", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ImageReviewStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.allowed,
            1 => &self.reason,
            2 => &self.audit_annotations,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.allowed,
            1 => &mut self.reason,
            2 => &mut self.audit_annotations,
            _ => return None,
        })
    }
}
