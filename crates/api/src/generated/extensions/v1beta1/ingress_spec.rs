// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressBackend;
use super::IngressRule;
use super::IngressTLS;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// `IngressSpec` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressSpec {
    /// `ingressClassName`: optional.
    pub ingress_class_name: Option<Str>,
    /// `backend`: optional.
    pub backend: Option<Shared<IngressBackend>>,
    /// `tls`: optional. Apply replaces the list.
    pub tls: List<IngressTLS>,
    /// `rules`: optional. Apply replaces the list.
    pub rules: List<IngressRule>,
}

impl IngressSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { ingress_class_name: None, backend: None, tls: List::EMPTY, rules: List::EMPTY };
}

client_rs_machinery::message!(IngressSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressSpec",
    type_meta: None,
    fields: &[
        Field::new("ingressClassName", Flags::OMIT_EMPTY),
        Field::new("backend", Flags::OMIT_EMPTY).of::<IngressBackend>(),
        Field::new("tls", Flags::OMIT_EMPTY).of::<IngressTLS>(),
        Field::new("rules", Flags::OMIT_EMPTY).of::<IngressRule>(),
    ],
    wire: &[Wire::field(1, 1), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 0)],
};

impl Fields for IngressSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ingress_class_name),
            1 => FieldRef::optional(&self.backend),
            2 => FieldRef::list(&self.tls),
            3 => FieldRef::list(&self.rules),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ingress_class_name),
            1 => FieldMut::optional(&mut self.backend),
            2 => FieldMut::list(&mut self.tls),
            3 => FieldMut::list(&mut self.rules),
            _ => FieldMut::NONE,
        }
    }
}
