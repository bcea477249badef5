// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressBackend;
use super::IngressRule;
use super::IngressTLS;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`IngressSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressspec-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressSpec {
    /// [`ingressClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressspec-v1-networking-k8s-io): optional.
    pub ingress_class_name: Option<Str>,
    /// [`defaultBackend`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressspec-v1-networking-k8s-io): optional.
    pub default_backend: Option<Shared<IngressBackend>>,
    /// [`tls`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressspec-v1-networking-k8s-io): optional. Apply replaces the list.
    pub tls: List<IngressTLS>,
    /// [`rules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressspec-v1-networking-k8s-io): optional. Apply replaces the list.
    pub rules: List<IngressRule>,
}

impl IngressSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { ingress_class_name: None, default_backend: None, tls: List::EMPTY, rules: List::EMPTY };
}

client_rs_machinery::message!(IngressSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressSpec",
    type_meta: None,
    fields: &[
        Field::new("ingressClassName", Flags::OMIT_EMPTY),
        Field::new("defaultBackend", Flags::OMIT_EMPTY).of::<IngressBackend>(),
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
            1 => FieldRef::optional(&self.default_backend),
            2 => FieldRef::list(&self.tls),
            3 => FieldRef::list(&self.rules),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ingress_class_name),
            1 => FieldMut::optional(&mut self.default_backend),
            2 => FieldMut::list(&mut self.tls),
            3 => FieldMut::list(&mut self.rules),
            _ => FieldMut::NONE,
        }
    }
}
