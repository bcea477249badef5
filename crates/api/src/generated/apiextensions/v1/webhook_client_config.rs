// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServiceReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Blob, Shared, Str};

/// [`WebhookClientConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookclientconfig-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct WebhookClientConfig {
    /// [`url`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookclientconfig-v1-apiextensions-k8s-io): optional.
    pub url: Option<Str>,
    /// [`service`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookclientconfig-v1-apiextensions-k8s-io): optional.
    pub service: Option<Shared<ServiceReference>>,
    /// [`caBundle`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookclientconfig-v1-apiextensions-k8s-io): optional.
    pub ca_bundle: Blob,
}

impl WebhookClientConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { url: None, service: None, ca_bundle: Blob::EMPTY };
}

client_rs_machinery::message!(WebhookClientConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WebhookClientConfig",
    type_meta: None,
    fields: &[
        Field::new("url", Flags::OMIT_EMPTY),
        Field::new("service", Flags::OMIT_EMPTY).of::<ServiceReference>(),
        Field::new("caBundle", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 1), Wire::field(2, 2), Wire::field(3, 0)],
};

impl Fields for WebhookClientConfig {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.url),
            1 => FieldRef::optional(&self.service),
            2 => FieldRef::value(&self.ca_bundle),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.url),
            1 => FieldMut::optional(&mut self.service),
            2 => FieldMut::value(&mut self.ca_bundle),
            _ => FieldMut::NONE,
        }
    }
}
