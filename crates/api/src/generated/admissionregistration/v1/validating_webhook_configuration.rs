// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ValidatingWebhook;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [ValidatingWebhookConfiguration](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhookconfiguration-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingWebhookConfiguration {
    pub metadata: ObjectMeta,
    pub webhooks: List<ValidatingWebhook>,
}

impl ValidatingWebhookConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, webhooks: List::EMPTY };
}

client_rs_machinery::message!(ValidatingWebhookConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingWebhookConfiguration",
    type_meta: Some(TypeMeta {
        api_version: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("webhooks", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ValidatingWebhook>()
            .merged_by("name"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ValidatingWebhookConfiguration {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.webhooks,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.webhooks,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(
    ValidatingWebhookConfiguration,
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration"
);

impl client_rs_machinery::Resource for ValidatingWebhookConfiguration {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "admissionregistration.k8s.io",
        version: "v1",
        kind: "ValidatingWebhookConfiguration",
        plural: "validatingwebhookconfigurations",
        singular: "validatingwebhookconfiguration",
        namespaced: false,
        short_names: &[],
        categories: &["api-extensions"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ValidatingWebhookConfiguration: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
