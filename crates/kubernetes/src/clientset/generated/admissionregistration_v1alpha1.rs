// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `admissionregistration.k8s.io/v1alpha1`.

use client_rs_api::admissionregistration::v1alpha1::{
    MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding,
};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, Debug)]
pub struct AdmissionregistrationV1alpha1 {
    rest: RestClient,
}

impl AdmissionregistrationV1alpha1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `mutatingadmissionpolicies`.
    #[inline]
    pub fn mutating_admission_policies(&self) -> Api<MutatingAdmissionPolicy> {
        Api::cluster(&self.rest)
    }

    /// `mutatingadmissionpolicybindings`.
    #[inline]
    pub fn mutating_admission_policy_bindings(&self) -> Api<MutatingAdmissionPolicyBinding> {
        Api::cluster(&self.rest)
    }

    /// `validatingadmissionpolicies`. Not served by the pinned API server.
    #[inline]
    pub fn validating_admission_policies(&self) -> Api<ValidatingAdmissionPolicy> {
        Api::cluster(&self.rest)
    }

    /// `validatingadmissionpolicybindings`. Not served by the pinned API server.
    #[inline]
    pub fn validating_admission_policy_bindings(&self) -> Api<ValidatingAdmissionPolicyBinding> {
        Api::cluster(&self.rest)
    }
}
