// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `admissionregistration`.

use client_rs_api::admissionregistration::{v1, v1alpha1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "admissionregistration" {
    v1: V1,
    v1alpha1: V1alpha1,
    v1beta1: V1beta1,
});

version!(V1 of "admissionregistration/v1" {
    mutating_admission_policies: v1::MutatingAdmissionPolicy,
    mutating_admission_policy_bindings: v1::MutatingAdmissionPolicyBinding,
    mutating_webhook_configurations: v1::MutatingWebhookConfiguration,
    validating_admission_policies: v1::ValidatingAdmissionPolicy,
    validating_admission_policy_bindings: v1::ValidatingAdmissionPolicyBinding,
    validating_webhook_configurations: v1::ValidatingWebhookConfiguration,
});

version!(V1alpha1 of "admissionregistration/v1alpha1" {
    mutating_admission_policies: v1alpha1::MutatingAdmissionPolicy,
    mutating_admission_policy_bindings: v1alpha1::MutatingAdmissionPolicyBinding,
    validating_admission_policies: v1alpha1::ValidatingAdmissionPolicy,
    validating_admission_policy_bindings: v1alpha1::ValidatingAdmissionPolicyBinding,
});

version!(V1beta1 of "admissionregistration/v1beta1" {
    mutating_admission_policies: v1beta1::MutatingAdmissionPolicy,
    mutating_admission_policy_bindings: v1beta1::MutatingAdmissionPolicyBinding,
    mutating_webhook_configurations: v1beta1::MutatingWebhookConfiguration,
    validating_admission_policies: v1beta1::ValidatingAdmissionPolicy,
    validating_admission_policy_bindings: v1beta1::ValidatingAdmissionPolicyBinding,
    validating_webhook_configurations: v1beta1::ValidatingWebhookConfiguration,
});
