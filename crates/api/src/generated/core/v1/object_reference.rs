// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ObjectReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ObjectReference {
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub kind: Str,
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub namespace: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub name: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub uid: Str,
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub api_version: Str,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub resource_version: Str,
    /// [`fieldPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectreference-v1-core): optional.
    pub field_path: Str,
}

impl ObjectReference {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        kind: Str::EMPTY,
        namespace: Str::EMPTY,
        name: Str::EMPTY,
        uid: Str::EMPTY,
        api_version: Str::EMPTY,
        resource_version: Str::EMPTY,
        field_path: Str::EMPTY,
    };
}

client_rs_machinery::message!(ObjectReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ObjectReference",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::OMIT_EMPTY),
        Field::new("namespace", Flags::OMIT_EMPTY),
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("apiVersion", Flags::OMIT_EMPTY),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
        Field::new("fieldPath", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for ObjectReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.kind),
            1 => FieldRef::value(&self.namespace),
            2 => FieldRef::value(&self.name),
            3 => FieldRef::value(&self.uid),
            4 => FieldRef::value(&self.api_version),
            5 => FieldRef::value(&self.resource_version),
            6 => FieldRef::value(&self.field_path),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.kind),
            1 => FieldMut::value(&mut self.namespace),
            2 => FieldMut::value(&mut self.name),
            3 => FieldMut::value(&mut self.uid),
            4 => FieldMut::value(&mut self.api_version),
            5 => FieldMut::value(&mut self.resource_version),
            6 => FieldMut::value(&mut self.field_path),
            _ => FieldMut::NONE,
        }
    }
}
