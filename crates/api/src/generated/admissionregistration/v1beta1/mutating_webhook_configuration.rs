// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MutatingWebhook;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1beta1`. Since 1.9. Deprecated since 1.16. Not served since 1.22. Replaced by `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct MutatingWebhookConfiguration {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `webhooks`: optional. Strategic merge patch merges entries by `name`.
    pub webhooks: List<MutatingWebhook>,
}

impl MutatingWebhookConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, webhooks: List::EMPTY };
}

client_rs_machinery::message!(MutatingWebhookConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MutatingWebhookConfiguration",
    type_meta: Some(TypeMeta {
        api_version: "admissionregistration.k8s.io/v1beta1",
        kind: "MutatingWebhookConfiguration",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("webhooks", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<MutatingWebhook>()
            .merged_by("name"),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MutatingWebhookConfiguration {
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
    MutatingWebhookConfiguration,
    "admissionregistration.k8s.io/v1beta1",
    "MutatingWebhookConfiguration"
);

impl client_rs_machinery::Resource for MutatingWebhookConfiguration {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "admissionregistration.k8s.io",
        version: "v1beta1",
        kind: "MutatingWebhookConfiguration",
        plural: "mutatingwebhookconfigurations",
        singular: "mutatingwebhookconfiguration",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(MutatingWebhookConfiguration: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
