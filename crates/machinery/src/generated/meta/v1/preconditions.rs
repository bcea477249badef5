// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Preconditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preconditions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Preconditions {
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preconditions-v1-meta): optional.
    pub uid: Option<Str>,
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preconditions-v1-meta): optional.
    pub resource_version: Option<Str>,
}

impl Preconditions {
    /// Every field empty.
    pub const EMPTY: Self = Self { uid: None, resource_version: None };
}

crate::message!(Preconditions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Preconditions",
    type_meta: None,
    fields: &[Field::new("uid", Flags::OMIT_EMPTY), Field::new("resourceVersion", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Preconditions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.uid),
            1 => FieldRef::value(&self.resource_version),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.uid),
            1 => FieldMut::value(&mut self.resource_version),
            _ => FieldMut::NONE,
        }
    }
}
