// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceClassSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`DeviceClass`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclass-v1-resource-k8s-io) of `resource.k8s.io/v1`. Served as `deviceclasses`, cluster-scoped. Since 1.34.
#[derive(Clone, PartialEq)]
pub struct DeviceClass {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclass-v1-resource-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclass-v1-resource-k8s-io): optional. The desired state.
    pub spec: DeviceClassSpec,
}

impl DeviceClass {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: DeviceClassSpec::EMPTY };
}

client_rs_machinery::message!(DeviceClass, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceClass",
    type_meta: Some(TypeMeta { api_version: "resource.k8s.io/v1", kind: "DeviceClass", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<DeviceClassSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for DeviceClass {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(DeviceClass, "resource.k8s.io/v1", "DeviceClass");

impl client_rs_machinery::Resource for DeviceClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "resource.k8s.io",
        version: "v1",
        kind: "DeviceClass",
        plural: "deviceclasses",
        singular: "deviceclass",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(DeviceClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
