// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`RoleRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#roleref-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct RoleRef {
    /// [`apiGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#roleref-v1-rbac-authorization-k8s-io): optional.
    pub api_group: Str,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#roleref-v1-rbac-authorization-k8s-io): required.
    pub kind: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#roleref-v1-rbac-authorization-k8s-io): required.
    pub name: Str,
}

impl RoleRef {
    /// Every field empty.
    pub const EMPTY: Self = Self { api_group: Str::EMPTY, kind: Str::EMPTY, name: Str::EMPTY };
}

client_rs_machinery::message!(RoleRef, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RoleRef",
    type_meta: None,
    fields: &[
        Field::new("apiGroup", Flags::NONE),
        Field::new("kind", Flags::NONE),
        Field::new("name", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for RoleRef {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_group),
            1 => FieldRef::value(&self.kind),
            2 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_group),
            1 => FieldMut::value(&mut self.kind),
            2 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
