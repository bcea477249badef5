// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectMeta;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PartialObjectMetadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partialobjectmetadata-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PartialObjectMetadata {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partialobjectmetadata-v1-meta): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
}

impl PartialObjectMetadata {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY };
}

crate::message!(PartialObjectMetadata, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PartialObjectMetadata",
    type_meta: Some(TypeMeta {
        api_version: "meta.k8s.io/v1",
        kind: "PartialObjectMetadata",
        everywhere: true,
    }),
    fields: &[Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PartialObjectMetadata {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            _ => FieldMut::NONE,
        }
    }
}
