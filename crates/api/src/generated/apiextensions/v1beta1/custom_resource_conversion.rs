// Made by `cargo xtask codegen` from schema: change those, not this.
use super::WebhookClientConfig;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// `CustomResourceConversion` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceConversion {
    /// `strategy`: optional. Known values: `None`, `Webhook`.
    pub strategy: Str,
    /// `webhookClientConfig`: optional.
    pub webhook_client_config: Option<Shared<WebhookClientConfig>>,
    /// `conversionReviewVersions`: optional. Apply replaces the list.
    pub conversion_review_versions: List<Str>,
}

impl CustomResourceConversion {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { strategy: Str::EMPTY, webhook_client_config: None, conversion_review_versions: List::EMPTY };
}

client_rs_machinery::message!(CustomResourceConversion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceConversion",
    type_meta: None,
    fields: &[
        Field::new("strategy", Flags::NONE),
        Field::new("webhookClientConfig", Flags::OMIT_EMPTY).of::<WebhookClientConfig>(),
        Field::new("conversionReviewVersions", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
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
            1 => FieldRef::optional(&self.webhook_client_config),
            2 => FieldRef::value(&self.conversion_review_versions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.strategy),
            1 => FieldMut::optional(&mut self.webhook_client_config),
            2 => FieldMut::value(&mut self.conversion_review_versions),
            _ => FieldMut::NONE,
        }
    }
}
