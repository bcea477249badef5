// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ValidatingAdmissionPolicyBindingSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ValidatingAdmissionPolicyBinding`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`. Since 1.26.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicyBinding {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io): optional. The desired state.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            _ => FieldMut::NONE,
        }
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
