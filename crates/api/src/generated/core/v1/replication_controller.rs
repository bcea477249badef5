// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ReplicationControllerSpec;
use super::ReplicationControllerStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ReplicationController`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontroller-v1-core) of `core/v1`. Served as `replicationcontrollers`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct ReplicationController {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontroller-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontroller-v1-core): optional. The desired state.
    pub spec: ReplicationControllerSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicationcontroller-v1-core): optional, set by the system. The observed state.
    pub status: ReplicationControllerStatus,
}

impl ReplicationController {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: ReplicationControllerSpec::EMPTY,
        status: ReplicationControllerStatus::EMPTY,
    };
}

client_rs_machinery::message!(ReplicationController, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ReplicationController",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "ReplicationController", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ReplicationControllerSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ReplicationControllerStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ReplicationController {
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

client_rs_machinery::object!(ReplicationController, "v1", "ReplicationController");

impl client_rs_machinery::Resource for ReplicationController {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "ReplicationController",
        plural: "replicationcontrollers",
        singular: "replicationcontroller",
        namespaced: true,
        short_names: &["rc"],
        categories: &["all"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[
            client_rs_machinery::SubresourceInfo {
                name: "scale",
                group: "autoscaling",
                version: "v1",
                kind: "Scale",
                verbs: &["get", "patch", "update"],
            },
            client_rs_machinery::SubresourceInfo {
                name: "status",
                group: "",
                version: "v1",
                kind: "ReplicationController",
                verbs: &["get", "patch", "update"],
            },
        ],
    };
}

client_rs_machinery::verbs!(ReplicationController: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status, Scale);

#[cfg(feature = "autoscaling-scale")]
impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Scale> for ReplicationController {
    type Payload = crate::autoscaling::v1::Scale;
    type Answer = crate::autoscaling::v1::Scale;
}
