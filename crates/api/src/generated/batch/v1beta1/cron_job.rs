// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CronJobSpec;
use super::CronJobStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `CronJob` of `batch/v1beta1`. Since 1.8. Deprecated since 1.21. Not served since 1.25. Replaced by `CronJob` of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct CronJob {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: Shared<CronJobSpec>,
    /// `status`: optional. The observed state.
    pub status: Shared<CronJobStatus>,
}

impl CronJob {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(CronJob, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CronJob",
    type_meta: Some(TypeMeta { api_version: "batch/v1beta1", kind: "CronJob", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<CronJobSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<CronJobStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CronJob {
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

client_rs_machinery::object!(CronJob, "batch/v1beta1", "CronJob");

impl client_rs_machinery::Resource for CronJob {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "batch",
        version: "v1beta1",
        kind: "CronJob",
        plural: "cronjobs",
        singular: "cronjob",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "batch",
            version: "v1beta1",
            kind: "CronJob",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(CronJob: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
