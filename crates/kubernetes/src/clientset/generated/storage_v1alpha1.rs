// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `storage.k8s.io/v1alpha1`.

use client_rs_api::storage::v1alpha1::{CSIStorageCapacity, VolumeAttachment, VolumeAttributesClass};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `storage.k8s.io/v1alpha1`.
#[derive(Clone, Debug)]
pub struct StorageV1alpha1 {
    rest: RestClient,
}

impl StorageV1alpha1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `csistoragecapacities` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn csi_storage_capacities<W: Within>(&self, namespace: W) -> Api<CSIStorageCapacity, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `volumeattachments`. Not served by the pinned API server.
    #[inline]
    pub fn volume_attachments(&self) -> Api<VolumeAttachment> {
        Api::cluster(&self.rest)
    }

    /// `volumeattributesclasses`. Not served by the pinned API server.
    #[inline]
    pub fn volume_attributes_classes(&self) -> Api<VolumeAttributesClass> {
        Api::cluster(&self.rest)
    }
}
