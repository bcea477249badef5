// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Subject`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subject-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Subject {
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subject-v1-rbac-authorization-k8s-io): required.
    pub kind: Str,
    /// [`apiGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subject-v1-rbac-authorization-k8s-io): optional.
    pub api_group: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subject-v1-rbac-authorization-k8s-io): required.
    pub name: Str,
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subject-v1-rbac-authorization-k8s-io): optional.
    pub namespace: Str,
}

impl Subject {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { kind: Str::EMPTY, api_group: Str::EMPTY, name: Str::EMPTY, namespace: Str::EMPTY };
}

client_rs_machinery::message!(Subject, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Subject",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::NONE),
        Field::new("apiGroup", Flags::OMIT_EMPTY),
        Field::new("name", Flags::NONE),
        Field::new("namespace", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for Subject {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.kind),
            1 => FieldRef::value(&self.api_group),
            2 => FieldRef::value(&self.name),
            3 => FieldRef::value(&self.namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.kind),
            1 => FieldMut::value(&mut self.api_group),
            2 => FieldMut::value(&mut self.name),
            3 => FieldMut::value(&mut self.namespace),
            _ => FieldMut::NONE,
        }
    }
}
