// Made by `cargo xtask codegen` from schema: change those, not this.
use super::WebhookConversion;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`CustomResourceConversion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourceconversion-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceConversion {
    /// [`strategy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourceconversion-v1-apiextensions-k8s-io): required. Known values: `None`, `Webhook`.
    pub strategy: Str,
    /// [`webhook`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourceconversion-v1-apiextensions-k8s-io): optional.
    pub webhook: Option<Shared<WebhookConversion>>,
}

impl CustomResourceConversion {
    /// Every field empty.
    pub const EMPTY: Self = Self { strategy: Str::EMPTY, webhook: None };
}

client_rs_machinery::message!(CustomResourceConversion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceConversion",
    type_meta: None,
    fields: &[
        Field::new("strategy", Flags::NONE),
        Field::new("webhook", Flags::OMIT_EMPTY).of::<WebhookConversion>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for CustomResourceConversion {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.strategy),
            1 => FieldRef::optional(&self.webhook),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.strategy),
            1 => FieldMut::optional(&mut self.webhook),
            _ => FieldMut::NONE,
        }
    }
}
