// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodTemplateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podtemplate-v1-core) of `core/v1`. Served as `podtemplates`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct PodTemplate {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podtemplate-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`template`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podtemplate-v1-core): optional.
    pub template: Shared<PodTemplateSpec>,
}

impl PodTemplate {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, template: Shared::DEFAULT };
}

client_rs_machinery::message!(PodTemplate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodTemplate",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PodTemplate", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("template", Flags::OMIT_EMPTY).of::<PodTemplateSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodTemplate {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.template),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.template),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(PodTemplate, "v1", "PodTemplate");

impl client_rs_machinery::Resource for PodTemplate {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "PodTemplate",
        plural: "podtemplates",
        singular: "podtemplate",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(PodTemplate: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
