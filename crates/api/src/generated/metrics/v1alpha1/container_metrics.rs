// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Quantity, Str};

/// `ContainerMetrics` of `metrics.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ContainerMetrics {
    /// `name`: optional.
    pub name: Str,
    /// `usage`: optional.
    pub usage: Map<Quantity>,
}

impl ContainerMetrics {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, usage: Map::EMPTY };
}

client_rs_machinery::message!(ContainerMetrics, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerMetrics",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("usage", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerMetrics {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.usage),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.usage),
            _ => FieldMut::NONE,
        }
    }
}
