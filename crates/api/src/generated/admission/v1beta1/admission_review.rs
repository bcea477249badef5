// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AdmissionRequest;
use super::AdmissionResponse;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `AdmissionReview` of `admission.k8s.io/v1beta1`. Since 1.9. Deprecated since 1.19. Replaced by `AdmissionReview` of `admission.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct AdmissionReview {
    /// `request`: optional.
    pub request: Option<Shared<AdmissionRequest>>,
    /// `response`: optional.
    pub response: Option<Shared<AdmissionResponse>>,
}

impl AdmissionReview {
    /// Every field empty.
    pub const EMPTY: Self = Self { request: None, response: None };
}

client_rs_machinery::message!(AdmissionReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AdmissionReview",
    type_meta: Some(TypeMeta {
        api_version: "admission.k8s.io/v1beta1",
        kind: "AdmissionReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("request", Flags::OMIT_EMPTY).of::<AdmissionRequest>(),
        Field::new("response", Flags::OMIT_EMPTY).of::<AdmissionResponse>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for AdmissionReview {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.request),
            1 => FieldRef::optional(&self.response),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.request),
            1 => FieldMut::optional(&mut self.response),
            _ => FieldMut::NONE,
        }
    }
}
