// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PolicyRule;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `Role` of `rbac.authorization.k8s.io/v1alpha1`. Deprecated.
#[derive(Clone, PartialEq)]
pub struct Role {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `rules`: optional. Apply replaces the list.
    pub rules: List<PolicyRule>,
}

impl Role {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, rules: List::EMPTY };
}

client_rs_machinery::message!(Role, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Role",
    type_meta: Some(TypeMeta {
        api_version: "rbac.authorization.k8s.io/v1alpha1",
        kind: "Role",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("rules", Flags::NONE).of::<PolicyRule>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Role {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.rules),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.rules),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Role, "rbac.authorization.k8s.io/v1alpha1", "Role");

impl client_rs_machinery::Resource for Role {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "rbac.authorization.k8s.io",
        version: "v1alpha1",
        kind: "Role",
        plural: "roles",
        singular: "role",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(Role: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
