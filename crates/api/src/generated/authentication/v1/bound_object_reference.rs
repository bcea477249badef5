// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`BoundObjectReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#boundobjectreference-v1-authentication-k8s-io) of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct BoundObjectReference {
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#boundobjectreference-v1-authentication-k8s-io): optional.
    pub kind: Str,
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#boundobjectreference-v1-authentication-k8s-io): optional.
    pub api_version: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#boundobjectreference-v1-authentication-k8s-io): optional.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#boundobjectreference-v1-authentication-k8s-io): optional.
    pub uid: Str,
}

impl BoundObjectReference {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { kind: Str::EMPTY, api_version: Str::EMPTY, name: Str::EMPTY, uid: Str::EMPTY };
}

client_rs_machinery::message!(BoundObjectReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "BoundObjectReference",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::OMIT_EMPTY),
        Field::new("apiVersion", Flags::OMIT_EMPTY),
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for BoundObjectReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.kind),
            1 => FieldRef::value(&self.api_version),
            2 => FieldRef::value(&self.name),
            3 => FieldRef::value(&self.uid),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.kind),
            1 => FieldMut::value(&mut self.api_version),
            2 => FieldMut::value(&mut self.name),
            3 => FieldMut::value(&mut self.uid),
            _ => FieldMut::NONE,
        }
    }
}
