// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressServiceBackend;
use crate::core::v1::TypedLocalObjectReference;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`IngressBackend`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressbackend-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressBackend {
    /// [`service`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressbackend-v1-networking-k8s-io): optional.
    pub service: Option<Shared<IngressServiceBackend>>,
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressbackend-v1-networking-k8s-io): optional.
    pub resource: Option<Shared<TypedLocalObjectReference>>,
}

impl IngressBackend {
    /// Every field empty.
    pub const EMPTY: Self = Self { service: None, resource: None };
}

client_rs_machinery::message!(IngressBackend, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressBackend",
    type_meta: None,
    fields: &[
        Field::new("service", Flags::OMIT_EMPTY).of::<IngressServiceBackend>(),
        Field::new("resource", Flags::OMIT_EMPTY).of::<TypedLocalObjectReference>(),
    ],
    wire: &[Wire::field(3, 1), Wire::field(4, 0)],
};

impl Fields for IngressBackend {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.service),
            1 => FieldRef::optional(&self.resource),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.service),
            1 => FieldMut::optional(&mut self.resource),
            _ => FieldMut::NONE,
        }
    }
}
