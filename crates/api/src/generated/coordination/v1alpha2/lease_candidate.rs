// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LeaseCandidateSpec;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`LeaseCandidate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidate-v1alpha2-coordination-k8s-io) of `coordination.k8s.io/v1alpha2`. Served as `leasecandidates`, namespaced. Since 1.32.
#[derive(Clone, PartialEq)]
pub struct LeaseCandidate {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidate-v1alpha2-coordination-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidate-v1alpha2-coordination-k8s-io): required. The desired state.
    pub spec: Shared<LeaseCandidateSpec>,
}

impl LeaseCandidate {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT };
}

client_rs_machinery::message!(LeaseCandidate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LeaseCandidate",
    type_meta: Some(TypeMeta {
        api_version: "coordination.k8s.io/v1alpha2",
        kind: "LeaseCandidate",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<LeaseCandidateSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for LeaseCandidate {
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

client_rs_machinery::object!(LeaseCandidate, "coordination.k8s.io/v1alpha2", "LeaseCandidate");

impl client_rs_machinery::Resource for LeaseCandidate {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "coordination.k8s.io",
        version: "v1alpha2",
        kind: "LeaseCandidate",
        plural: "leasecandidates",
        singular: "leasecandidate",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(LeaseCandidate: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
