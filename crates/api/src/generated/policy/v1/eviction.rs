// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Eviction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1-policy) of `policy/v1`. Since 1.22.
#[derive(Clone, PartialEq)]
pub struct Eviction {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1-policy): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`deleteOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#eviction-v1-policy): optional.
    pub delete_options: Option<Shared<DeleteOptions>>,
}

impl Eviction {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, delete_options: None };
}

client_rs_machinery::message!(Eviction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Eviction",
    type_meta: Some(TypeMeta { api_version: "policy/v1", kind: "Eviction", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("deleteOptions", Flags::OMIT_EMPTY).of::<DeleteOptions>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Eviction {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::optional(&self.delete_options),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::optional(&mut self.delete_options),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Eviction, "policy/v1", "Eviction");
