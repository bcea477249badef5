// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DaemonSetSpec;
use super::DaemonSetStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `DaemonSet` of `apps/v1beta2`. Since 1.8. Deprecated since 1.9. Not served since 1.16. Replaced by `DaemonSet` of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct DaemonSet {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: Shared<DaemonSetSpec>,
    /// `status`: optional, set by the system. The observed state.
    pub status: Shared<DaemonSetStatus>,
}

impl DaemonSet {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(DaemonSet, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DaemonSet",
    type_meta: Some(TypeMeta { api_version: "apps/v1beta2", kind: "DaemonSet", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<DaemonSetSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<DaemonSetStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for DaemonSet {
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

client_rs_machinery::object!(DaemonSet, "apps/v1beta2", "DaemonSet");

impl client_rs_machinery::Resource for DaemonSet {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "apps",
        version: "v1beta2",
        kind: "DaemonSet",
        plural: "daemonsets",
        singular: "daemonset",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "apps",
            version: "v1beta2",
            kind: "DaemonSet",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(DaemonSet: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
