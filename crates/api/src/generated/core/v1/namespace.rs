// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NamespaceSpec;
use super::NamespaceStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespace-v1-core) of `core/v1`. Served as `namespaces`, cluster-scoped. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Namespace {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespace-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespace-v1-core): optional. The desired state.
    pub spec: NamespaceSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#namespace-v1-core): optional. The observed state.
    pub status: NamespaceStatus,
}

impl Namespace {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: NamespaceSpec::EMPTY, status: NamespaceStatus::EMPTY };
}

client_rs_machinery::message!(Namespace, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Namespace",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Namespace", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<NamespaceSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<NamespaceStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Namespace {
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

client_rs_machinery::object!(Namespace, "v1", "Namespace");

impl client_rs_machinery::Resource for Namespace {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Namespace",
        plural: "namespaces",
        singular: "namespace",
        namespaced: false,
        short_names: &["ns"],
        categories: &[],
        verbs: &["create", "delete", "get", "list", "patch", "update", "watch"],
        subresources: &[
            client_rs_machinery::SubresourceInfo {
                name: "finalize",
                group: "",
                version: "v1",
                kind: "Namespace",
                verbs: &["update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "status",
                group: "",
                version: "v1",
                kind: "Namespace",
                verbs: &["get", "patch", "update"],
            },
        ],
    };
}

client_rs_machinery::verbs!(Namespace: Create, Delete, Get, List, Patch, Update, Watch, Status);

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Finalize> for Namespace {
    type Payload = crate::core::v1::Namespace;
    type Answer = crate::core::v1::Namespace;
}
