// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSpec;
use super::NodeStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Node`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#node-v1-core) of `core/v1`. Served as `nodes`, cluster-scoped. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Node {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#node-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#node-v1-core): optional. The desired state.
    pub spec: Shared<NodeSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#node-v1-core): optional, set by the system. The observed state.
    pub status: Shared<NodeStatus>,
}

impl Node {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(Node, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Node",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Node", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<NodeSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<NodeStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Node {
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

client_rs_machinery::object!(Node, "v1", "Node");

impl client_rs_machinery::Resource for Node {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Node",
        plural: "nodes",
        singular: "node",
        namespaced: false,
        short_names: &["no"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[
            client_rs_machinery::SubresourceInfo {
                name: "proxy",
                group: "",
                version: "v1",
                kind: "NodeProxyOptions",
                verbs: &["create", "delete", "get", "patch", "update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "status",
                group: "",
                version: "v1",
                kind: "Node",
                verbs: &["get", "patch", "update"],
            },
        ],
    };
}

client_rs_machinery::verbs!(Node: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);

impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Proxy> for Node {
    type Payload = crate::core::v1::NodeProxyOptions;
    type Answer = crate::core::v1::NodeProxyOptions;
}
