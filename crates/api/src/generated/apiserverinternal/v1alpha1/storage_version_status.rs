// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServerStorageVersion;
use super::StorageVersionCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`StorageVersionStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionstatus-v1alpha1-internal-apiserver-k8s-io) of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionStatus {
    /// [`storageVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionstatus-v1alpha1-internal-apiserver-k8s-io): optional. Apply merges entries by `apiServerID`.
    pub storage_versions: List<ServerStorageVersion>,
    /// [`commonEncodingVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionstatus-v1alpha1-internal-apiserver-k8s-io): optional.
    pub common_encoding_version: Option<Str>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionstatus-v1alpha1-internal-apiserver-k8s-io): optional. Apply merges entries by `type`.
    pub conditions: List<StorageVersionCondition>,
}

impl StorageVersionStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { storage_versions: List::EMPTY, common_encoding_version: None, conditions: List::EMPTY };
}

client_rs_machinery::message!(StorageVersionStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersionStatus",
    type_meta: None,
    fields: &[
        Field::new("storageVersions", Flags::OMIT_EMPTY).of::<ServerStorageVersion>(),
        Field::new("commonEncodingVersion", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY).of::<StorageVersionCondition>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for StorageVersionStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.storage_versions),
            1 => FieldRef::value(&self.common_encoding_version),
            2 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.storage_versions),
            1 => FieldMut::value(&mut self.common_encoding_version),
            2 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
