// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `storage`.

use client_rs_api::storage::{v1, v1alpha1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "storage" {
    v1: V1,
    v1alpha1: V1alpha1,
    v1beta1: V1beta1,
});

version!(V1 of "storage/v1" {
    csi_drivers: v1::CSIDriver,
    csi_nodes: v1::CSINode,
    csi_storage_capacities: v1::CSIStorageCapacity,
    storage_classes: v1::StorageClass,
    volume_attachments: v1::VolumeAttachment,
    volume_attributes_classes: v1::VolumeAttributesClass,
});

version!(V1alpha1 of "storage/v1alpha1" {
    csi_storage_capacities: v1alpha1::CSIStorageCapacity,
    volume_attachments: v1alpha1::VolumeAttachment,
    volume_attributes_classes: v1alpha1::VolumeAttributesClass,
});

version!(V1beta1 of "storage/v1beta1" {
    csi_drivers: v1beta1::CSIDriver,
    csi_nodes: v1beta1::CSINode,
    csi_storage_capacities: v1beta1::CSIStorageCapacity,
    storage_classes: v1beta1::StorageClass,
    volume_attachments: v1beta1::VolumeAttachment,
    volume_attributes_classes: v1beta1::VolumeAttributesClass,
});
