// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeploymentSpec;
use super::DeploymentStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `Deployment` of `apps/v1beta1`. Since 1.6. Deprecated since 1.8. Not served since 1.16. Replaced by `Deployment` of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct Deployment {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: Shared<DeploymentSpec>,
    /// `status`: optional. The observed state.
    pub status: Shared<DeploymentStatus>,
}

impl Deployment {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(Deployment, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Deployment",
    type_meta: Some(TypeMeta { api_version: "apps/v1beta1", kind: "Deployment", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<DeploymentSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<DeploymentStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Deployment {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Deployment, "apps/v1beta1", "Deployment");

impl client_rs_machinery::Resource for Deployment {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "apps",
        version: "v1beta1",
        kind: "Deployment",
        plural: "deployments",
        singular: "deployment",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "apps",
            version: "v1beta1",
            kind: "Deployment",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(Deployment: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
