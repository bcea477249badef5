// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Blob, List, Map, Shared, Str};

/// [AdmissionResponse](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#admissionresponse-v1-admission-k8s-io) of `admission.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct AdmissionResponse {
    pub uid: Str,
    pub allowed: bool,
    pub status: Option<Shared<Status>>,
    pub patch: Blob,
    pub patch_type: Option<Str>,
    pub audit_annotations: Map<Str>,
    pub warnings: List<Str>,
}

impl AdmissionResponse {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        uid: Str::EMPTY,
        allowed: false,
        status: None,
        patch: Blob::EMPTY,
        patch_type: None,
        audit_annotations: Map::EMPTY,
        warnings: List::EMPTY,
    };
}

client_rs_machinery::message!(AdmissionResponse, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AdmissionResponse",
    type_meta: None,
    fields: &[
        Field::new("uid", Flags::NONE),
        Field::new("allowed", Flags::NONE),
        Field::new("status", Flags::OMIT_EMPTY).of::<Status>(),
        Field::new("patch", Flags::OMIT_EMPTY),
        Field::new("patchType", Flags::OMIT_EMPTY),
        Field::new("auditAnnotations", Flags::OMIT_EMPTY),
        Field::new("warnings", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for AdmissionResponse {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.uid,
            1 => &self.allowed,
            2 => &self.status,
            3 => &self.patch,
            4 => &self.patch_type,
            5 => &self.audit_annotations,
            6 => &self.warnings,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.uid,
            1 => &mut self.allowed,
            2 => &mut self.status,
            3 => &mut self.patch,
            4 => &mut self.patch_type,
            5 => &mut self.audit_annotations,
            6 => &mut self.warnings,
            _ => return None,
        })
    }
}
