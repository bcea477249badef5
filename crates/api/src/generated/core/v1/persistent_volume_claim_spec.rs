// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TypedLocalObjectReference;
use super::TypedObjectReference;
use super::VolumeResourceRequirements;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`PersistentVolumeClaimSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeClaimSpec {
    /// [`accessModes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional. One of `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOnce`, `ReadWriteOncePod`. Apply replaces the list.
    pub access_modes: List<Str>,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional.
    pub resources: VolumeResourceRequirements,
    /// [`volumeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional.
    pub volume_name: Str,
    /// [`storageClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional.
    pub storage_class_name: Option<Str>,
    /// [`volumeMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional. One of `Block`, `Filesystem`.
    pub volume_mode: Option<Str>,
    /// [`dataSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional.
    pub data_source: Option<Shared<TypedLocalObjectReference>>,
    /// [`dataSourceRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional, since 1.22.
    pub data_source_ref: Option<Shared<TypedObjectReference>>,
    /// [`volumeAttributesClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumeclaimspec-v1-core): optional, since 1.29. Feature gate `VolumeAttributesClass`.
    pub volume_attributes_class_name: Option<Str>,
}

impl PersistentVolumeClaimSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        access_modes: List::EMPTY,
        selector: None,
        resources: VolumeResourceRequirements::EMPTY,
        volume_name: Str::EMPTY,
        storage_class_name: None,
        volume_mode: None,
        data_source: None,
        data_source_ref: None,
        volume_attributes_class_name: None,
    };
}

client_rs_machinery::message!(PersistentVolumeClaimSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeClaimSpec",
    type_meta: None,
    fields: &[
        Field::new("accessModes", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("resources", Flags::OMIT_EMPTY).of::<VolumeResourceRequirements>(),
        Field::new("volumeName", Flags::OMIT_EMPTY),
        Field::new("storageClassName", Flags::OMIT_EMPTY),
        Field::new("volumeMode", Flags::OMIT_EMPTY),
        Field::new("dataSource", Flags::OMIT_EMPTY).of::<TypedLocalObjectReference>(),
        Field::new("dataSourceRef", Flags::OMIT_EMPTY).of::<TypedObjectReference>(),
        Field::new("volumeAttributesClassName", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::field(3, 3),
        Wire::field(4, 1),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
    ],
};

impl Fields for PersistentVolumeClaimSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.access_modes),
            1 => FieldRef::optional(&self.selector),
            2 => FieldRef::message(&self.resources),
            3 => FieldRef::value(&self.volume_name),
            4 => FieldRef::value(&self.storage_class_name),
            5 => FieldRef::value(&self.volume_mode),
            6 => FieldRef::optional(&self.data_source),
            7 => FieldRef::optional(&self.data_source_ref),
            8 => FieldRef::value(&self.volume_attributes_class_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.access_modes),
            1 => FieldMut::optional(&mut self.selector),
            2 => FieldMut::message(&mut self.resources),
            3 => FieldMut::value(&mut self.volume_name),
            4 => FieldMut::value(&mut self.storage_class_name),
            5 => FieldMut::value(&mut self.volume_mode),
            6 => FieldMut::optional(&mut self.data_source),
            7 => FieldMut::optional(&mut self.data_source_ref),
            8 => FieldMut::value(&mut self.volume_attributes_class_name),
            _ => FieldMut::NONE,
        }
    }
}
