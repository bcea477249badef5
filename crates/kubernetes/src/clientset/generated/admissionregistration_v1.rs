// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `admissionregistration.k8s.io/v1`.

use client_rs_api::admissionregistration::v1::{
    MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingWebhookConfiguration,
    ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration,
};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `admissionregistration.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct AdmissionregistrationV1 {
    rest: RestClient,
}

impl AdmissionregistrationV1 {
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

    /// `mutatingwebhookconfigurations`.
    #[inline]
    pub fn mutating_webhook_configurations(&self) -> Api<MutatingWebhookConfiguration> {
        Api::cluster(&self.rest)
    }

    /// `validatingadmissionpolicies`.
    #[inline]
    pub fn validating_admission_policies(&self) -> Api<ValidatingAdmissionPolicy> {
        Api::cluster(&self.rest)
    }

    /// `validatingadmissionpolicybindings`.
    #[inline]
    pub fn validating_admission_policy_bindings(&self) -> Api<ValidatingAdmissionPolicyBinding> {
        Api::cluster(&self.rest)
    }

    /// `validatingwebhookconfigurations`.
    #[inline]
    pub fn validating_webhook_configurations(&self) -> Api<ValidatingWebhookConfiguration> {
        Api::cluster(&self.rest)
    }
}
