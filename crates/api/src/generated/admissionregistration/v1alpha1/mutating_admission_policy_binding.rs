// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MutatingAdmissionPolicyBindingSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`MutatingAdmissionPolicyBinding`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`. Served as `mutatingadmissionpolicybindings`, cluster-scoped. Since 1.32.
#[derive(Clone, PartialEq)]
pub struct MutatingAdmissionPolicyBinding {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybinding-v1alpha1-admissionregistration-k8s-io): optional. The desired state.
    pub spec: MutatingAdmissionPolicyBindingSpec,
}

impl MutatingAdmissionPolicyBinding {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: MutatingAdmissionPolicyBindingSpec::EMPTY };
}

client_rs_machinery::message!(MutatingAdmissionPolicyBinding, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MutatingAdmissionPolicyBinding",
    type_meta: Some(TypeMeta {
        api_version: "admissionregistration.k8s.io/v1alpha1",
        kind: "MutatingAdmissionPolicyBinding",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<MutatingAdmissionPolicyBindingSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MutatingAdmissionPolicyBinding {
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
    MutatingAdmissionPolicyBinding,
    "admissionregistration.k8s.io/v1alpha1",
    "MutatingAdmissionPolicyBinding"
);

impl client_rs_machinery::Resource for MutatingAdmissionPolicyBinding {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "admissionregistration.k8s.io",
        version: "v1alpha1",
        kind: "MutatingAdmissionPolicyBinding",
        plural: "mutatingadmissionpolicybindings",
        singular: "mutatingadmissionpolicybinding",
        namespaced: false,
        short_names: &[],
        categories: &["api-extensions"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(MutatingAdmissionPolicyBinding: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
