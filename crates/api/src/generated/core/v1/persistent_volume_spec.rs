// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use super::PersistentVolumeSource;
use super::VolumeNodeAffinity;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Quantity, Shared, Str};

/// [`PersistentVolumeSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeSpec {
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional.
    pub capacity: Map<Quantity>,
    /// Its fields are fields of this object in JSON.
    pub persistent_volume_source: Shared<PersistentVolumeSource>,
    /// [`accessModes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional. One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. Apply replaces the list.
    pub access_modes: List<Str>,
    /// [`claimRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional.
    pub claim_ref: Option<Shared<ObjectReference>>,
    /// [`persistentVolumeReclaimPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional. One of `Delete`, `Recycle`, `Retain`.
    pub persistent_volume_reclaim_policy: Str,
    /// [`storageClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional.
    pub storage_class_name: Str,
    /// [`mountOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional. Apply replaces the list.
    pub mount_options: List<Str>,
    /// [`volumeMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional. One of `Block`, `Filesystem`.
    pub volume_mode: Option<Str>,
    /// [`nodeAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional.
    pub node_affinity: Option<Shared<VolumeNodeAffinity>>,
    /// [`volumeAttributesClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumespec-v1-core): optional, since 1.29. Feature gate `VolumeAttributesClass`.
    pub volume_attributes_class_name: Option<Str>,
}

impl PersistentVolumeSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        capacity: Map::EMPTY,
        persistent_volume_source: Shared::DEFAULT,
        access_modes: List::EMPTY,
        claim_ref: None,
        persistent_volume_reclaim_policy: Str::EMPTY,
        storage_class_name: Str::EMPTY,
        mount_options: List::EMPTY,
        volume_mode: None,
        node_affinity: None,
        volume_attributes_class_name: None,
    };
}

impl std::ops::Deref for PersistentVolumeSpec {
    type Target = PersistentVolumeSource;

    fn deref(&self) -> &PersistentVolumeSource {
        &self.persistent_volume_source
    }
}

impl std::ops::DerefMut for PersistentVolumeSpec {
    fn deref_mut(&mut self) -> &mut PersistentVolumeSource {
        &mut self.persistent_volume_source
    }
}

client_rs_machinery::message!(PersistentVolumeSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeSpec",
    type_meta: None,
    fields: &[
        Field::new("capacity", Flags::OMIT_EMPTY),
        Field::new("persistent_volume_source", Flags::INLINE).of::<PersistentVolumeSource>(),
        Field::new("accessModes", Flags::OMIT_EMPTY),
        Field::new("claimRef", Flags::OMIT_EMPTY).of::<ObjectReference>(),
        Field::new("persistentVolumeReclaimPolicy", Flags::OMIT_EMPTY),
        Field::new("storageClassName", Flags::OMIT_EMPTY),
        Field::new("mountOptions", Flags::OMIT_EMPTY),
        Field::new("volumeMode", Flags::OMIT_EMPTY),
        Field::new("nodeAffinity", Flags::OMIT_EMPTY).of::<VolumeNodeAffinity>(),
        Field::new("volumeAttributesClassName", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
    ],
};

impl Fields for PersistentVolumeSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.capacity),
            1 => FieldRef::shared(&self.persistent_volume_source),
            2 => FieldRef::value(&self.access_modes),
            3 => FieldRef::optional(&self.claim_ref),
            4 => FieldRef::value(&self.persistent_volume_reclaim_policy),
            5 => FieldRef::value(&self.storage_class_name),
            6 => FieldRef::value(&self.mount_options),
            7 => FieldRef::value(&self.volume_mode),
            8 => FieldRef::optional(&self.node_affinity),
            9 => FieldRef::value(&self.volume_attributes_class_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.capacity),
            1 => FieldMut::shared(&mut self.persistent_volume_source),
            2 => FieldMut::value(&mut self.access_modes),
            3 => FieldMut::optional(&mut self.claim_ref),
            4 => FieldMut::value(&mut self.persistent_volume_reclaim_policy),
            5 => FieldMut::value(&mut self.storage_class_name),
            6 => FieldMut::value(&mut self.mount_options),
            7 => FieldMut::value(&mut self.volume_mode),
            8 => FieldMut::optional(&mut self.node_affinity),
            9 => FieldMut::value(&mut self.volume_attributes_class_name),
            _ => FieldMut::NONE,
        }
    }
}
