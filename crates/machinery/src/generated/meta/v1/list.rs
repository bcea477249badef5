// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ListMeta;
use crate::RawExtension;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`List`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#list-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct List {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#list-v1-meta): optional.
    pub metadata: ListMeta,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#list-v1-meta): optional.
    pub items: crate::List<RawExtension>,
}

impl List {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ListMeta::EMPTY, items: crate::List::EMPTY };
}

crate::message!(List, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "List",
    type_meta: None,
    fields: &[Field::new("metadata", Flags::OMIT_EMPTY).of::<ListMeta>(), Field::new("items", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for List {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.items),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.items),
            _ => FieldMut::NONE,
        }
    }
}
