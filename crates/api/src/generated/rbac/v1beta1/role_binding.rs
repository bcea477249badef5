// Made by `cargo xtask codegen` from schema: change those, not this.
use super::RoleRef;
use super::Subject;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `RoleBinding` of `rbac.authorization.k8s.io/v1beta1`. Since 1.6. Deprecated since 1.17. Not served since 1.22. Replaced by `RoleBinding` of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct RoleBinding {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `subjects`: optional. Apply replaces the list.
    pub subjects: List<Subject>,
    /// `roleRef`: required, immutable.
    pub role_ref: RoleRef,
}

impl RoleBinding {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, subjects: List::EMPTY, role_ref: RoleRef::EMPTY };
}

client_rs_machinery::message!(RoleBinding, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RoleBinding",
    type_meta: Some(TypeMeta {
        api_version: "rbac.authorization.k8s.io/v1beta1",
        kind: "RoleBinding",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("subjects", Flags::OMIT_EMPTY).of::<Subject>(),
        Field::new("roleRef", Flags::NONE).of::<RoleRef>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for RoleBinding {
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

client_rs_machinery::object!(RoleBinding, "rbac.authorization.k8s.io/v1beta1", "RoleBinding");

impl client_rs_machinery::Resource for RoleBinding {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "rbac.authorization.k8s.io",
        version: "v1beta1",
        kind: "RoleBinding",
        plural: "rolebindings",
        singular: "rolebinding",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(RoleBinding: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
