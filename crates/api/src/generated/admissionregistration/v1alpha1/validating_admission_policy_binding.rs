// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ValidatingAdmissionPolicyBindingSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [ValidatingAdmissionPolicyBinding](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicyBinding {
    pub metadata: ObjectMeta,
    pub spec: ValidatingAdmissionPolicyBindingSpec,
}

impl ValidatingAdmissionPolicyBinding {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: ValidatingAdmissionPolicyBindingSpec::EMPTY };
}

client_rs_machinery::message!(ValidatingAdmissionPolicyBinding, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingAdmissionPolicyBinding",
    type_meta: Some(TypeMeta {
        api_version: "admissionregistration.k8s.io/v1alpha1",
        kind: "ValidatingAdmissionPolicyBinding",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ValidatingAdmissionPolicyBindingSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ValidatingAdmissionPolicyBinding {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.spec,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.spec,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(
    ValidatingAdmissionPolicyBinding,
    "admissionregistration.k8s.io/v1alpha1",
    "ValidatingAdmissionPolicyBinding"
);

impl client_rs_machinery::Resource for ValidatingAdmissionPolicyBinding {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "admissionregistration.k8s.io",
        version: "v1alpha1",
        kind: "ValidatingAdmissionPolicyBinding",
        plural: "validatingadmissionpolicybindings",
        singular: "validatingadmissionpolicybinding",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ValidatingAdmissionPolicyBinding: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
