// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `storage.k8s.io/v1`.

use client_rs_api::storage::v1::{
    CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass,
};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `storage.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct StorageV1 {
    rest: RestClient,
}

impl StorageV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `csidrivers`.
    #[inline]
    pub fn csi_drivers(&self) -> Api<CSIDriver> {
        Api::cluster(&self.rest)
    }

    /// `csinodes`.
    #[inline]
    pub fn csi_nodes(&self) -> Api<CSINode> {
        Api::cluster(&self.rest)
    }

    /// `csistoragecapacities` of a namespace, or of all.
    #[inline]
    pub fn csi_storage_capacities<W: Within>(&self, namespace: W) -> Api<CSIStorageCapacity, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `storageclasses`.
    #[inline]
    pub fn storage_classes(&self) -> Api<StorageClass> {
        Api::cluster(&self.rest)
    }

    /// `volumeattachments`.
    #[inline]
    pub fn volume_attachments(&self) -> Api<VolumeAttachment> {
        Api::cluster(&self.rest)
    }

    /// `volumeattributesclasses`.
    #[inline]
    pub fn volume_attributes_classes(&self) -> Api<VolumeAttributesClass> {
        Api::cluster(&self.rest)
    }
}
