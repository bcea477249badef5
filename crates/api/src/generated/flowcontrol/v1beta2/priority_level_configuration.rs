// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PriorityLevelConfigurationSpec;
use super::PriorityLevelConfigurationStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `PriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1beta2`. Since 1.23. Replaced by `PriorityLevelConfiguration` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct PriorityLevelConfiguration {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: PriorityLevelConfigurationSpec,
    /// `status`: optional. The observed state.
    pub status: PriorityLevelConfigurationStatus,
}

impl PriorityLevelConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: PriorityLevelConfigurationSpec::EMPTY,
        status: PriorityLevelConfigurationStatus::EMPTY,
    };
}

client_rs_machinery::message!(PriorityLevelConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PriorityLevelConfiguration",
    type_meta: Some(TypeMeta {
        api_version: "flowcontrol.apiserver.k8s.io/v1beta2",
        kind: "PriorityLevelConfiguration",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<PriorityLevelConfigurationSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<PriorityLevelConfigurationStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PriorityLevelConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(
    PriorityLevelConfiguration,
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "PriorityLevelConfiguration"
);

impl client_rs_machinery::Resource for PriorityLevelConfiguration {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "flowcontrol.apiserver.k8s.io",
        version: "v1beta2",
        kind: "PriorityLevelConfiguration",
        plural: "prioritylevelconfigurations",
        singular: "prioritylevelconfiguration",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "flowcontrol.apiserver.k8s.io",
            version: "v1beta2",
            kind: "PriorityLevelConfiguration",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(PriorityLevelConfiguration: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
