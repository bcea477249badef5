// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MutatingAdmissionPolicySpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`MutatingAdmissionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicy-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`. Served as `mutatingadmissionpolicies`, cluster-scoped. Since 1.34. Replaced by `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct MutatingAdmissionPolicy {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicy-v1beta1-admissionregistration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicy-v1beta1-admissionregistration-k8s-io): optional. The desired state.
    pub spec: Shared<MutatingAdmissionPolicySpec>,
}

impl MutatingAdmissionPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT };
}

client_rs_machinery::message!(MutatingAdmissionPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MutatingAdmissionPolicy",
    type_meta: Some(TypeMeta {
        api_version: "admissionregistration.k8s.io/v1beta1",
        kind: "MutatingAdmissionPolicy",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<MutatingAdmissionPolicySpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MutatingAdmissionPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(
    MutatingAdmissionPolicy,
    "admissionregistration.k8s.io/v1beta1",
    "MutatingAdmissionPolicy"
);

impl client_rs_machinery::Resource for MutatingAdmissionPolicy {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "admissionregistration.k8s.io",
        version: "v1beta1",
        kind: "MutatingAdmissionPolicy",
        plural: "mutatingadmissionpolicies",
        singular: "mutatingadmissionpolicy",
        namespaced: false,
        short_names: &[],
        categories: &["api-extensions"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(MutatingAdmissionPolicy: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
