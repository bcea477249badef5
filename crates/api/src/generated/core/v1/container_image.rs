// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ContainerImage`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerimage-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerImage {
    /// [`names`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerimage-v1-core): optional. Apply replaces the list.
    pub names: List<Str>,
    /// [`sizeBytes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerimage-v1-core): optional.
    pub size_bytes: i64,
}

impl ContainerImage {
    /// Every field empty.
    pub const EMPTY: Self = Self { names: List::EMPTY, size_bytes: 0 };
}

client_rs_machinery::message!(ContainerImage, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerImage",
    type_meta: None,
    fields: &[Field::new("names", Flags::NONE), Field::new("sizeBytes", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerImage {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.names),
            1 => FieldRef::value(&self.size_bytes),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.names),
            1 => FieldMut::value(&mut self.size_bytes),
            _ => FieldMut::NONE,
        }
    }
}
