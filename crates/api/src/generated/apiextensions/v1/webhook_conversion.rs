// Made by `cargo xtask codegen` from schema: change those, not this.
use super::WebhookClientConfig;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`WebhookConversion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookconversion-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct WebhookConversion {
    /// [`clientConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookconversion-v1-apiextensions-k8s-io): optional.
    pub client_config: Option<Shared<WebhookClientConfig>>,
    /// [`conversionReviewVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#webhookconversion-v1-apiextensions-k8s-io): required. Apply replaces the list.
    pub conversion_review_versions: List<Str>,
}

impl WebhookConversion {
    /// Every field empty.
    pub const EMPTY: Self = Self { client_config: None, conversion_review_versions: List::EMPTY };
}

client_rs_machinery::message!(WebhookConversion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "WebhookConversion",
    type_meta: None,
    fields: &[
        Field::new("clientConfig", Flags::OMIT_EMPTY).of::<WebhookClientConfig>(),
        Field::new("conversionReviewVersions", Flags::NONE),
    ],
    wire: &[Wire::field(2, 0), Wire::field(3, 1)],
};

impl Fields for WebhookConversion {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.client_config),
            1 => FieldRef::value(&self.conversion_review_versions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.client_config),
            1 => FieldMut::value(&mut self.conversion_review_versions),
            _ => FieldMut::NONE,
        }
    }
}
