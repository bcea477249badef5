// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::List;
use crate::meta::v1::ListMeta;
use crate::meta::v1::PartialObjectMetadata;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `PartialObjectMetadataList` of `meta.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PartialObjectMetadataList {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ListMeta,
    /// `items`: optional. The objects of the list.
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
        api_version: "meta.k8s.io/v1beta1",
        kind: "PartialObjectMetadataList",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(),
        Field::new("items", Flags::NONE).of::<PartialObjectMetadata>(),
    ],
    wire: &[Wire::field(1, 1), Wire::field(2, 0)],
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
