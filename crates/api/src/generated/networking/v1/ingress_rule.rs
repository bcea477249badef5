// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HTTPIngressRuleValue;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`IngressRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressrule-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressRule {
    /// [`host`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressrule-v1-networking-k8s-io): optional.
    pub host: Str,
    /// [`http`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressrule-v1-networking-k8s-io): optional.
    pub http: Option<Shared<HTTPIngressRuleValue>>,
}

impl IngressRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { host: Str::EMPTY, http: None };
}

client_rs_machinery::message!(IngressRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressRule",
    type_meta: None,
    fields: &[
        Field::new("host", Flags::OMIT_EMPTY),
        Field::new("http", Flags::OMIT_EMPTY).of::<HTTPIngressRuleValue>(),
    ],
    wire: &[Wire::field(1, 0), Wire::inline(2, &[Wire::field(1, 1)])],
};

impl Fields for IngressRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.host),
            1 => FieldRef::optional(&self.http),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.host),
            1 => FieldMut::optional(&mut self.http),
            _ => FieldMut::NONE,
        }
    }
}
