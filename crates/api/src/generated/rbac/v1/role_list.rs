// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Role;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ListMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`RoleList`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rolelist-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`. Since 1.8.
#[derive(Clone, PartialEq)]
pub struct RoleList {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rolelist-v1-rbac-authorization-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rolelist-v1-rbac-authorization-k8s-io): required. The objects of the list.
    pub items: List<Role>,
}

impl RoleList {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ListMeta::EMPTY, items: List::EMPTY };
}

client_rs_machinery::message!(RoleList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RoleList",
    type_meta: Some(TypeMeta {
        api_version: "rbac.authorization.k8s.io/v1",
        kind: "RoleList",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("items", Flags::NONE).of::<Role>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for RoleList {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.items),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.items),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object_list!(RoleList, Role);
