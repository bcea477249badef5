// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatefulSetSpec;
use super::StatefulSetStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`StatefulSet`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulset-v1-apps) of `apps/v1`. Served as `statefulsets`, namespaced. Since 1.9.
#[derive(Clone, PartialEq)]
pub struct StatefulSet {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulset-v1-apps): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulset-v1-apps): required. The desired state.
    pub spec: Shared<StatefulSetSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulset-v1-apps): optional. The observed state.
    pub status: Shared<StatefulSetStatus>,
}

impl StatefulSet {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(StatefulSet, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSet",
    type_meta: Some(TypeMeta { api_version: "apps/v1", kind: "StatefulSet", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<StatefulSetSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<StatefulSetStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for StatefulSet {
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

client_rs_machinery::object!(StatefulSet, "apps/v1", "StatefulSet");

impl client_rs_machinery::Resource for StatefulSet {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "apps",
        version: "v1",
        kind: "StatefulSet",
        plural: "statefulsets",
        singular: "statefulset",
        namespaced: true,
        short_names: &["sts"],
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
                group: "apps",
                version: "v1",
                kind: "StatefulSet",
                verbs: &["get", "patch", "update"],
            },
        ],
    };
}

client_rs_machinery::verbs!(StatefulSet: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status, Scale);

#[cfg(feature = "autoscaling-scale")]
impl client_rs_machinery::HasSubresource<client_rs_machinery::subresource::Scale> for StatefulSet {
    type Payload = crate::autoscaling::v1::Scale;
    type Answer = crate::autoscaling::v1::Scale;
}
