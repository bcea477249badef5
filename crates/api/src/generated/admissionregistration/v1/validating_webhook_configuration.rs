// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ValidatingWebhook;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ValidatingWebhookConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhookconfiguration-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`. Served as `validatingwebhookconfigurations`, cluster-scoped. Since 1.16.
#[derive(Clone, PartialEq)]
pub struct ValidatingWebhookConfiguration {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhookconfiguration-v1-admissionregistration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`webhooks`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingwebhookconfiguration-v1-admissionregistration-k8s-io): optional. Apply and strategic merge patch merge entries by `name`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.webhooks),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.webhooks),
            _ => FieldMut::NONE,
        }
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
