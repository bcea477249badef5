// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Quantity};

/// [`VolumeResourceRequirements`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeresourcerequirements-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeResourceRequirements {
    /// [`limits`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeresourcerequirements-v1-core): optional.
    pub limits: Map<Quantity>,
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeresourcerequirements-v1-core): optional.
    pub requests: Map<Quantity>,
}

impl VolumeResourceRequirements {
    /// Every field empty.
    pub const EMPTY: Self = Self { limits: Map::EMPTY, requests: Map::EMPTY };
}

client_rs_machinery::message!(VolumeResourceRequirements, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeResourceRequirements",
    type_meta: None,
    fields: &[Field::new("limits", Flags::OMIT_EMPTY), Field::new("requests", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for VolumeResourceRequirements {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.limits),
            1 => FieldRef::value(&self.requests),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.limits),
            1 => FieldMut::value(&mut self.requests),
            _ => FieldMut::NONE,
        }
    }
}
