// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `VolumeNodeResources` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct VolumeNodeResources {
    /// `count`: optional.
    pub count: Option<i32>,
}

impl VolumeNodeResources {
    /// Every field empty.
    pub const EMPTY: Self = Self { count: None };
}

client_rs_machinery::message!(VolumeNodeResources, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeNodeResources",
    type_meta: None,
    fields: &[Field::new("count", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for VolumeNodeResources {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.count),
            _ => FieldMut::NONE,
        }
    }
}
