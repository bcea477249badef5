// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ClusterTrustBundleSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `ClusterTrustBundle` of `certificates.k8s.io/v1alpha1`. Since 1.26. Deprecated since 1.34.
#[derive(Clone, PartialEq)]
pub struct ClusterTrustBundle {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: ClusterTrustBundleSpec,
}

impl ClusterTrustBundle {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: ClusterTrustBundleSpec::EMPTY };
}

client_rs_machinery::message!(ClusterTrustBundle, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ClusterTrustBundle",
    type_meta: Some(TypeMeta {
        api_version: "certificates.k8s.io/v1alpha1",
        kind: "ClusterTrustBundle",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<ClusterTrustBundleSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ClusterTrustBundle {
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

client_rs_machinery::object!(ClusterTrustBundle, "certificates.k8s.io/v1alpha1", "ClusterTrustBundle");

impl client_rs_machinery::Resource for ClusterTrustBundle {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "certificates.k8s.io",
        version: "v1alpha1",
        kind: "ClusterTrustBundle",
        plural: "clustertrustbundles",
        singular: "clustertrustbundle",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ClusterTrustBundle: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
