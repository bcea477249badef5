// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ServerStorageVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serverstorageversion-v1alpha1-internal-apiserver-k8s-io) of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ServerStorageVersion {
    /// [`apiServerID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serverstorageversion-v1alpha1-internal-apiserver-k8s-io): required.
    pub api_server_id: Str,
    /// [`encodingVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serverstorageversion-v1alpha1-internal-apiserver-k8s-io): required.
    pub encoding_version: Str,
    /// [`decodableVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serverstorageversion-v1alpha1-internal-apiserver-k8s-io): required. Apply merges entries.
    pub decodable_versions: List<Str>,
    /// [`servedVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serverstorageversion-v1alpha1-internal-apiserver-k8s-io): optional, since 1.28. Apply merges entries.
    pub served_versions: List<Str>,
}

impl ServerStorageVersion {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        api_server_id: Str::EMPTY,
        encoding_version: Str::EMPTY,
        decodable_versions: List::EMPTY,
        served_versions: List::EMPTY,
    };
}

client_rs_machinery::message!(ServerStorageVersion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServerStorageVersion",
    type_meta: None,
    fields: &[
        Field::new("apiServerID", Flags::OMIT_EMPTY),
        Field::new("encodingVersion", Flags::OMIT_EMPTY),
        Field::new("decodableVersions", Flags::OMIT_EMPTY),
        Field::new("servedVersions", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ServerStorageVersion {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_server_id),
            1 => FieldRef::value(&self.encoding_version),
            2 => FieldRef::value(&self.decodable_versions),
            3 => FieldRef::value(&self.served_versions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_server_id),
            1 => FieldMut::value(&mut self.encoding_version),
            2 => FieldMut::value(&mut self.decodable_versions),
            3 => FieldMut::value(&mut self.served_versions),
            _ => FieldMut::NONE,
        }
    }
}
