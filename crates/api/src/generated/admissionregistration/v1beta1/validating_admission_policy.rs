// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ValidatingAdmissionPolicySpec;
use super::ValidatingAdmissionPolicyStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ValidatingAdmissionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicy-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`. Since 1.28.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicy {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicy-v1beta1-admissionregistration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicy-v1beta1-admissionregistration-k8s-io): optional. The desired state.
    pub spec: Shared<ValidatingAdmissionPolicySpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicy-v1beta1-admissionregistration-k8s-io): optional, set by the system. The observed state.
    pub status: ValidatingAdmissionPolicyStatus,
}

impl ValidatingAdmissionPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: Shared::DEFAULT,
        status: ValidatingAdmissionPolicyStatus::EMPTY,
    };
}

client_rs_machinery::message!(ValidatingAdmissionPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingAdmissionPolicy",
    type_meta: Some(TypeMeta {
        api_version: "admissionregistration.k8s.io/v1beta1",
        kind: "ValidatingAdmissionPolicy",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ValidatingAdmissionPolicySpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ValidatingAdmissionPolicyStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ValidatingAdmissionPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(
    ValidatingAdmissionPolicy,
    "admissionregistration.k8s.io/v1beta1",
    "ValidatingAdmissionPolicy"
);

impl client_rs_machinery::Resource for ValidatingAdmissionPolicy {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "admissionregistration.k8s.io",
        version: "v1beta1",
        kind: "ValidatingAdmissionPolicy",
        plural: "validatingadmissionpolicies",
        singular: "validatingadmissionpolicy",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "admissionregistration.k8s.io",
            version: "v1beta1",
            kind: "ValidatingAdmissionPolicy",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(ValidatingAdmissionPolicy: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
