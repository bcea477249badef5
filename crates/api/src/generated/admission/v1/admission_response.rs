// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Blob, List, Map, Shared, Str};

/// `AdmissionResponse` of `admission.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct AdmissionResponse {
    /// `uid`: optional.
    pub uid: Str,
    /// `allowed`: optional.
    pub allowed: bool,
    /// `status`: optional.
    pub status: Option<Shared<Status>>,
    /// `patch`: optional.
    pub patch: Blob,
    /// `patchType`: optional. Known value: `JSONPatch`.
    pub patch_type: Option<Str>,
    /// `auditAnnotations`: optional.
    pub audit_annotations: Map<Str>,
    /// `warnings`: optional. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            1 => FieldRef::value(&self.allowed),
            2 => FieldRef::optional(&self.status),
            3 => FieldRef::value(&self.patch),
            4 => FieldRef::value(&self.patch_type),
            5 => FieldRef::value(&self.audit_annotations),
            6 => FieldRef::value(&self.warnings),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            1 => FieldMut::value(&mut self.allowed),
            2 => FieldMut::optional(&mut self.status),
            3 => FieldMut::value(&mut self.patch),
            4 => FieldMut::value(&mut self.patch_type),
            5 => FieldMut::value(&mut self.audit_annotations),
            6 => FieldMut::value(&mut self.warnings),
            _ => FieldMut::NONE,
        }
    }
}
