// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`CustomResourceDefinitionNames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinitionNames {
    /// [`plural`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io): required.
    pub plural: Str,
    /// [`singular`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io): optional.
    pub singular: Str,
    /// [`shortNames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io): optional. Apply replaces the list.
    pub short_names: List<Str>,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io): required.
    pub kind: Str,
    /// [`listKind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io): optional.
    pub list_kind: Str,
    /// [`categories`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinitionnames-v1-apiextensions-k8s-io): optional. Apply replaces the list.
    pub categories: List<Str>,
}

impl CustomResourceDefinitionNames {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        plural: Str::EMPTY,
        singular: Str::EMPTY,
        short_names: List::EMPTY,
        kind: Str::EMPTY,
        list_kind: Str::EMPTY,
        categories: List::EMPTY,
    };
}

client_rs_machinery::message!(CustomResourceDefinitionNames, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinitionNames",
    type_meta: None,
    fields: &[
        Field::new("plural", Flags::NONE),
        Field::new("singular", Flags::OMIT_EMPTY),
        Field::new("shortNames", Flags::OMIT_EMPTY),
        Field::new("kind", Flags::NONE),
        Field::new("listKind", Flags::OMIT_EMPTY),
        Field::new("categories", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for CustomResourceDefinitionNames {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.plural),
            1 => FieldRef::value(&self.singular),
            2 => FieldRef::value(&self.short_names),
            3 => FieldRef::value(&self.kind),
            4 => FieldRef::value(&self.list_kind),
            5 => FieldRef::value(&self.categories),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.plural),
            1 => FieldMut::value(&mut self.singular),
            2 => FieldMut::value(&mut self.short_names),
            3 => FieldMut::value(&mut self.kind),
            4 => FieldMut::value(&mut self.list_kind),
            5 => FieldMut::value(&mut self.categories),
            _ => FieldMut::NONE,
        }
    }
}
