// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `resource`.

use client_rs_api::resource::{v1, v1alpha3, v1beta1, v1beta2};

use crate::informers::accessors::{group, version};

group!(Informers of "resource" {
    v1: V1,
    v1alpha3: V1alpha3,
    v1beta1: V1beta1,
    v1beta2: V1beta2,
});

version!(V1 of "resource/v1" {
    device_classes: v1::DeviceClass,
    device_taint_rules: v1::DeviceTaintRule,
    resource_claim_templates: v1::ResourceClaimTemplate,
    resource_claims: v1::ResourceClaim,
    resource_slices: v1::ResourceSlice,
});

version!(V1alpha3 of "resource/v1alpha3" {
    device_taint_rules: v1alpha3::DeviceTaintRule,
    resource_pool_status_requests: v1alpha3::ResourcePoolStatusRequest,
});

version!(V1beta1 of "resource/v1beta1" {
    device_classes: v1beta1::DeviceClass,
    resource_claim_templates: v1beta1::ResourceClaimTemplate,
    resource_claims: v1beta1::ResourceClaim,
    resource_slices: v1beta1::ResourceSlice,
});

version!(V1beta2 of "resource/v1beta2" {
    device_classes: v1beta2::DeviceClass,
    device_taint_rules: v1beta2::DeviceTaintRule,
    resource_claim_templates: v1beta2::ResourceClaimTemplate,
    resource_claims: v1beta2::ResourceClaim,
    resource_slices: v1beta2::ResourceSlice,
});
