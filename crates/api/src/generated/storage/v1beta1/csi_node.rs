// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CSINodeSpec;
use super::CSINodeStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `CSINode` of `storage.k8s.io/v1beta1`. Since 1.14. Deprecated since 1.17. Not served since 1.22. Replaced by `CSINode` of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CSINode {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: CSINodeSpec,
    /// `status`: optional. The observed state.
    pub status: CSINodeStatus,
}

impl CSINode {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: CSINodeSpec::EMPTY, status: CSINodeStatus::EMPTY };
}

client_rs_machinery::message!(CSINode, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSINode",
    type_meta: Some(TypeMeta { api_version: "storage.k8s.io/v1beta1", kind: "CSINode", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<CSINodeSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<CSINodeStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CSINode {
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

client_rs_machinery::object!(CSINode, "storage.k8s.io/v1beta1", "CSINode");

impl client_rs_machinery::Resource for CSINode {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storage.k8s.io",
        version: "v1beta1",
        kind: "CSINode",
        plural: "csinodes",
        singular: "csinode",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "storage.k8s.io",
            version: "v1beta1",
            kind: "CSINode",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(CSINode: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
