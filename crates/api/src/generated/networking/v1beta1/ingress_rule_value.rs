// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HTTPIngressRuleValue;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `IngressRuleValue` of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressRuleValue {
    /// `http`: optional.
    pub http: Option<Shared<HTTPIngressRuleValue>>,
}

impl IngressRuleValue {
    /// Every field empty.
    pub const EMPTY: Self = Self { http: None };
}

client_rs_machinery::message!(IngressRuleValue, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressRuleValue",
    type_meta: None,
    fields: &[Field::new("http", Flags::OMIT_EMPTY).of::<HTTPIngressRuleValue>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for IngressRuleValue {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.http),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.http),
            _ => FieldMut::NONE,
        }
    }
}
