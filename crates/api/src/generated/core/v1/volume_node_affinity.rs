// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelector;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`VolumeNodeAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumenodeaffinity-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeNodeAffinity {
    /// [`required`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumenodeaffinity-v1-core): optional.
    pub required: Option<Shared<NodeSelector>>,
}

impl VolumeNodeAffinity {
    /// Every field empty.
    pub const EMPTY: Self = Self { required: None };
}

client_rs_machinery::message!(VolumeNodeAffinity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeNodeAffinity",
    type_meta: None,
    fields: &[Field::new("required", Flags::OMIT_EMPTY).of::<NodeSelector>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for VolumeNodeAffinity {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.required),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.required),
            _ => FieldMut::NONE,
        }
    }
}
