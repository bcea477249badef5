// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConversionRequest;
use super::ConversionResponse;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ConversionReview`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#conversionreview-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`. Since 1.16.
#[derive(Clone, PartialEq)]
pub struct ConversionReview {
    /// [`request`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#conversionreview-v1-apiextensions-k8s-io): optional.
    pub request: Option<Shared<ConversionRequest>>,
    /// [`response`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#conversionreview-v1-apiextensions-k8s-io): optional.
    pub response: Option<Shared<ConversionResponse>>,
}

impl ConversionReview {
    /// Every field empty.
    pub const EMPTY: Self = Self { request: None, response: None };
}

client_rs_machinery::message!(ConversionReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConversionReview",
    type_meta: Some(TypeMeta {
        api_version: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("request", Flags::OMIT_EMPTY).of::<ConversionRequest>(),
        Field::new("response", Flags::OMIT_EMPTY).of::<ConversionResponse>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ConversionReview {
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
