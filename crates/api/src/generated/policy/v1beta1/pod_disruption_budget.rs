// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodDisruptionBudgetSpec;
use super::PodDisruptionBudgetStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `PodDisruptionBudget` of `policy/v1beta1`. Since 1.5. Deprecated since 1.21. Not served since 1.25. Replaced by `PodDisruptionBudget` of `policy/v1`.
#[derive(Clone, PartialEq)]
pub struct PodDisruptionBudget {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: Shared<PodDisruptionBudgetSpec>,
    /// `status`: optional. The observed state.
    pub status: Shared<PodDisruptionBudgetStatus>,
}

impl PodDisruptionBudget {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(PodDisruptionBudget, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodDisruptionBudget",
    type_meta: Some(TypeMeta {
        api_version: "policy/v1beta1",
        kind: "PodDisruptionBudget",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<PodDisruptionBudgetSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<PodDisruptionBudgetStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodDisruptionBudget {
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

client_rs_machinery::object!(PodDisruptionBudget, "policy/v1beta1", "PodDisruptionBudget");

impl client_rs_machinery::Resource for PodDisruptionBudget {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "policy",
        version: "v1beta1",
        kind: "PodDisruptionBudget",
        plural: "poddisruptionbudgets",
        singular: "poddisruptionbudget",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "policy",
            version: "v1beta1",
            kind: "PodDisruptionBudget",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(PodDisruptionBudget: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
