// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodGroupSpec;
use super::PodGroupStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroup-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`. Served as `podgroups`, namespaced. Since 1.37.
#[derive(Clone, PartialEq)]
pub struct PodGroup {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroup-v1alpha3-scheduling-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroup-v1alpha3-scheduling-k8s-io): required. The desired state.
    pub spec: Shared<PodGroupSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroup-v1alpha3-scheduling-k8s-io): optional. The observed state.
    pub status: PodGroupStatus,
}

impl PodGroup {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: PodGroupStatus::EMPTY };
}

client_rs_machinery::message!(PodGroup, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodGroup",
    type_meta: Some(TypeMeta {
        api_version: "scheduling.k8s.io/v1alpha3",
        kind: "PodGroup",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<PodGroupSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<PodGroupStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodGroup {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(PodGroup, "scheduling.k8s.io/v1alpha3", "PodGroup");

impl client_rs_machinery::Resource for PodGroup {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "scheduling.k8s.io",
        version: "v1alpha3",
        kind: "PodGroup",
        plural: "podgroups",
        singular: "podgroup",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "scheduling.k8s.io",
            version: "v1alpha3",
            kind: "PodGroup",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(PodGroup: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
