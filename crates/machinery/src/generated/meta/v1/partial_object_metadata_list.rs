// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ListMeta;
use super::PartialObjectMetadata;
use crate::List;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PartialObjectMetadataList`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partialobjectmetadatalist-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PartialObjectMetadataList {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partialobjectmetadatalist-v1-meta): optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#partialobjectmetadatalist-v1-meta): optional. The objects of the list.
    pub items: List<PartialObjectMetadata>,
}

impl PartialObjectMetadataList {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ListMeta::EMPTY, items: List::EMPTY };
}

crate::message!(PartialObjectMetadataList, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PartialObjectMetadataList",
    type_meta: Some(TypeMeta {
        api_version: "meta.k8s.io/v1",
        kind: "PartialObjectMetadataList",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("items", Flags::NONE).of::<PartialObjectMetadata>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PartialObjectMetadataList {
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
