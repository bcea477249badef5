// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressClassParametersReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// `IngressClassSpec` of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressClassSpec {
    /// `controller`: optional, immutable.
    pub controller: Str,
    /// `parameters`: optional.
    pub parameters: Option<Shared<IngressClassParametersReference>>,
}

impl IngressClassSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { controller: Str::EMPTY, parameters: None };
}

client_rs_machinery::message!(IngressClassSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressClassSpec",
    type_meta: None,
    fields: &[
        Field::new("controller", Flags::OMIT_EMPTY),
        Field::new("parameters", Flags::OMIT_EMPTY).of::<IngressClassParametersReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IngressClassSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.controller),
            1 => FieldRef::optional(&self.parameters),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.controller),
            1 => FieldMut::optional(&mut self.parameters),
            _ => FieldMut::NONE,
        }
    }
}
