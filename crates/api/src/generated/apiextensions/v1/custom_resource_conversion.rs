// Made by `cargo xtask codegen` from schema: change those, not this.
use super::WebhookConversion;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [CustomResourceConversion](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourceconversion-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceConversion {
    pub strategy: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.strategy,
            1 => &self.webhook,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.strategy,
            1 => &mut self.webhook,
            _ => return None,
        })
    }
}
