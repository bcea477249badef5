// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `resource.k8s.io/v1beta1`.

use client_rs_api::resource::v1beta1::{DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `resource.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct ResourceV1beta1 {
    rest: RestClient,
}

impl ResourceV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `deviceclasses`.
    #[inline]
    pub fn device_classes(&self) -> Api<DeviceClass> {
        Api::cluster(&self.rest)
    }

    /// `resourceclaimtemplates` of a namespace, or of all.
    #[inline]
    pub fn resource_claim_templates<W: Within>(&self, namespace: W) -> Api<ResourceClaimTemplate, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `resourceclaims` of a namespace, or of all.
    #[inline]
    pub fn resource_claims<W: Within>(&self, namespace: W) -> Api<ResourceClaim, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `resourceslices`.
    #[inline]
    pub fn resource_slices(&self) -> Api<ResourceSlice> {
        Api::cluster(&self.rest)
    }
}
