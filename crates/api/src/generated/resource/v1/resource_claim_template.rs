// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourceClaimTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ResourceClaimTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimtemplate-v1-resource-k8s-io) of `resource.k8s.io/v1`. Served as `resourceclaimtemplates`, namespaced. Since 1.34.
#[derive(Clone, PartialEq)]
pub struct ResourceClaimTemplate {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimtemplate-v1-resource-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaimtemplate-v1-resource-k8s-io): optional, immutable. The desired state.
    pub spec: Shared<ResourceClaimTemplateSpec>,
}

impl ResourceClaimTemplate {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT };
}

client_rs_machinery::message!(ResourceClaimTemplate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaimTemplate",
    type_meta: Some(TypeMeta {
        api_version: "resource.k8s.io/v1",
        kind: "ResourceClaimTemplate",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<ResourceClaimTemplateSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceClaimTemplate {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ResourceClaimTemplate, "resource.k8s.io/v1", "ResourceClaimTemplate");

impl client_rs_machinery::Resource for ResourceClaimTemplate {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "resource.k8s.io",
        version: "v1",
        kind: "ResourceClaimTemplate",
        plural: "resourceclaimtemplates",
        singular: "resourceclaimtemplate",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ResourceClaimTemplate: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
