// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Blob, Map, Str};

/// [`Secret`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secret-v1-core) of `core/v1`. Served as `secrets`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct Secret {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secret-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`immutable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secret-v1-core): optional, since 1.18.
    pub immutable: Option<bool>,
    /// [`data`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secret-v1-core): optional.
    pub data: Map<Blob>,
    /// [`stringData`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secret-v1-core): optional.
    pub string_data: Map<Str>,
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secret-v1-core): optional, immutable. Known values: `Opaque`, `bootstrap.kubernetes.io/token`, `kubernetes.io/basic-auth`, `kubernetes.io/dockercfg`, `kubernetes.io/dockerconfigjson`, `kubernetes.io/service-account-token`, `kubernetes.io/ssh-auth`, `kubernetes.io/tls`.
    pub type_: Str,
}

impl Secret {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        immutable: None,
        data: Map::EMPTY,
        string_data: Map::EMPTY,
        type_: Str::EMPTY,
    };
}

client_rs_machinery::message!(Secret, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Secret",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Secret", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("immutable", Flags::OMIT_EMPTY),
        Field::new("data", Flags::OMIT_EMPTY.and(Flags::SENSITIVE)),
        Field::new("stringData", Flags::OMIT_EMPTY.and(Flags::SENSITIVE)),
        Field::new("type", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 4), Wire::field(4, 3), Wire::field(5, 1)],
};

impl Fields for Secret {
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
            3 => FieldRef::value(&self.string_data),
            4 => FieldRef::value(&self.type_),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.immutable),
            2 => FieldMut::value(&mut self.data),
            3 => FieldMut::value(&mut self.string_data),
            4 => FieldMut::value(&mut self.type_),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Secret, "v1", "Secret");

impl client_rs_machinery::Resource for Secret {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Secret",
        plural: "secrets",
        singular: "secret",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(Secret: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
