// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EvictionSpec;
use super::EvictionStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Eviction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`. Served as `evictions`, namespaced. Since 1.37.
#[derive(Clone, PartialEq)]
pub struct Eviction {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1alpha1-lifecycle-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1alpha1-lifecycle-k8s-io): required. The desired state.
    pub spec: EvictionSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1alpha1-lifecycle-k8s-io): optional. The observed state.
    pub status: Shared<EvictionStatus>,
}

impl Eviction {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: EvictionSpec::EMPTY, status: Shared::DEFAULT };
}

client_rs_machinery::message!(Eviction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Eviction",
    type_meta: Some(TypeMeta {
        api_version: "lifecycle.k8s.io/v1alpha1",
        kind: "Eviction",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<EvictionSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<EvictionStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Eviction {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Eviction, "lifecycle.k8s.io/v1alpha1", "Eviction");

impl client_rs_machinery::Resource for Eviction {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "lifecycle.k8s.io",
        version: "v1alpha1",
        kind: "Eviction",
        plural: "evictions",
        singular: "eviction",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "lifecycle.k8s.io",
            version: "v1alpha1",
            kind: "Eviction",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(Eviction: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
