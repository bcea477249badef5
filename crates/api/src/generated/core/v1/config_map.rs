// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Blob, Map, Str};

/// [`ConfigMap`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmap-v1-core) of `core/v1`. Served as `configmaps`, namespaced. Since 1.2.
#[derive(Clone, PartialEq)]
pub struct ConfigMap {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmap-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`immutable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmap-v1-core): optional, since 1.18.
    pub immutable: Option<bool>,
    /// [`data`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmap-v1-core): optional.
    pub data: Map<Str>,
    /// [`binaryData`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmap-v1-core): optional.
    pub binary_data: Map<Blob>,
}

impl ConfigMap {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, immutable: None, data: Map::EMPTY, binary_data: Map::EMPTY };
}

client_rs_machinery::message!(ConfigMap, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConfigMap",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "ConfigMap", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("immutable", Flags::OMIT_EMPTY),
        Field::new("data", Flags::OMIT_EMPTY),
        Field::new("binaryData", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 1)],
};

impl Fields for ConfigMap {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.immutable),
            2 => FieldRef::value(&self.data),
            3 => FieldRef::value(&self.binary_data),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.immutable),
            2 => FieldMut::value(&mut self.data),
            3 => FieldMut::value(&mut self.binary_data),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ConfigMap, "v1", "ConfigMap");

impl client_rs_machinery::Resource for ConfigMap {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "ConfigMap",
        plural: "configmaps",
        singular: "configmap",
        namespaced: true,
        short_names: &["cm"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ConfigMap: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
