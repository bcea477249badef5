// Made by `cargo xtask codegen` from schema: change those, not this.
use super::JSONSchemaProps;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CustomResourceValidation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcevalidation-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceValidation {
    /// [`openAPIV3Schema`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcevalidation-v1-apiextensions-k8s-io): optional.
    pub open_apiv3_schema: Option<Shared<JSONSchemaProps>>,
}

impl CustomResourceValidation {
    /// Every field empty.
    pub const EMPTY: Self = Self { open_apiv3_schema: None };
}

client_rs_machinery::message!(CustomResourceValidation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceValidation",
    type_meta: None,
    fields: &[Field::new("openAPIV3Schema", Flags::OMIT_EMPTY).of::<JSONSchemaProps>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CustomResourceValidation {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.open_apiv3_schema),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.open_apiv3_schema),
            _ => FieldMut::NONE,
        }
    }
}
