// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`TypedObjectReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typedobjectreference-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TypedObjectReference {
    /// [`apiGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typedobjectreference-v1-core): optional.
    pub api_group: Option<Str>,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typedobjectreference-v1-core): required.
    pub kind: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typedobjectreference-v1-core): required.
    pub name: Str,
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typedobjectreference-v1-core): optional. Feature gate `CrossNamespaceVolumeDataSource`.
    pub namespace: Option<Str>,
}

impl TypedObjectReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { api_group: None, kind: Str::EMPTY, name: Str::EMPTY, namespace: None };
}

client_rs_machinery::message!(TypedObjectReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TypedObjectReference",
    type_meta: None,
    fields: &[
        Field::new("apiGroup", Flags::NONE),
        Field::new("kind", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("namespace", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for TypedObjectReference {
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
            3 => FieldRef::value(&self.namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_group),
            1 => FieldMut::value(&mut self.kind),
            2 => FieldMut::value(&mut self.name),
            3 => FieldMut::value(&mut self.namespace),
            _ => FieldMut::NONE,
        }
    }
}
