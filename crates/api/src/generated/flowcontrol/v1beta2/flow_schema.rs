// Made by `cargo xtask codegen` from schema: change those, not this.
use super::FlowSchemaSpec;
use super::FlowSchemaStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `FlowSchema` of `flowcontrol.apiserver.k8s.io/v1beta2`. Since 1.23. Replaced by `FlowSchema` of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, PartialEq)]
pub struct FlowSchema {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: FlowSchemaSpec,
    /// `status`: optional. The observed state.
    pub status: FlowSchemaStatus,
}

impl FlowSchema {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: FlowSchemaSpec::EMPTY, status: FlowSchemaStatus::EMPTY };
}

client_rs_machinery::message!(FlowSchema, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlowSchema",
    type_meta: Some(TypeMeta {
        api_version: "flowcontrol.apiserver.k8s.io/v1beta2",
        kind: "FlowSchema",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<FlowSchemaSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<FlowSchemaStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for FlowSchema {
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

client_rs_machinery::object!(FlowSchema, "flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema");

impl client_rs_machinery::Resource for FlowSchema {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "flowcontrol.apiserver.k8s.io",
        version: "v1beta2",
        kind: "FlowSchema",
        plural: "flowschemas",
        singular: "flowschema",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "flowcontrol.apiserver.k8s.io",
            version: "v1beta2",
            kind: "FlowSchema",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(FlowSchema: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
