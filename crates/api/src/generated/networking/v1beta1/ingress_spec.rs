// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressBackend;
use super::IngressRule;
use super::IngressTLS;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [IngressSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressspec-v1beta1-networking-k8s-io) of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressSpec {
    pub ingress_class_name: Option<Str>,
    pub backend: Option<Shared<IngressBackend>>,
    pub tls: List<IngressTLS>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.ingress_class_name,
            1 => &self.backend,
            2 => &self.tls,
            3 => &self.rules,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.ingress_class_name,
            1 => &mut self.backend,
            2 => &mut self.tls,
            3 => &mut self.rules,
            _ => return None,
        })
    }
}
