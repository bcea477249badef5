// Made by `cargo xtask codegen` from schema: change those, not this.
use super::RoleRef;
use super::Subject;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `ClusterRoleBinding` of `rbac.authorization.k8s.io/v1alpha1`. Deprecated.
#[derive(Clone, PartialEq)]
pub struct ClusterRoleBinding {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `subjects`: optional. Apply replaces the list.
    pub subjects: List<Subject>,
    /// `roleRef`: required, immutable.
    pub role_ref: RoleRef,
}

impl ClusterRoleBinding {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, subjects: List::EMPTY, role_ref: RoleRef::EMPTY };
}

client_rs_machinery::message!(ClusterRoleBinding, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ClusterRoleBinding",
    type_meta: Some(TypeMeta {
        api_version: "rbac.authorization.k8s.io/v1alpha1",
        kind: "ClusterRoleBinding",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("subjects", Flags::OMIT_EMPTY).of::<Subject>(),
        Field::new("roleRef", Flags::NONE).of::<RoleRef>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ClusterRoleBinding {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.subjects),
            2 => FieldRef::message(&self.role_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.subjects),
            2 => FieldMut::message(&mut self.role_ref),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ClusterRoleBinding, "rbac.authorization.k8s.io/v1alpha1", "ClusterRoleBinding");

impl client_rs_machinery::Resource for ClusterRoleBinding {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "rbac.authorization.k8s.io",
        version: "v1alpha1",
        kind: "ClusterRoleBinding",
        plural: "clusterrolebindings",
        singular: "clusterrolebinding",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(ClusterRoleBinding: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
