// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`TopologySelectorLabelRequirement`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorlabelrequirement-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TopologySelectorLabelRequirement {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorlabelrequirement-v1-core): required.
    pub key: Str,
    /// [`values`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorlabelrequirement-v1-core): required. Apply replaces the list.
    pub values: List<Str>,
}

impl TopologySelectorLabelRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(TopologySelectorLabelRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TopologySelectorLabelRequirement",
    type_meta: None,
    fields: &[Field::new("key", Flags::NONE), Field::new("values", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for TopologySelectorLabelRequirement {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.values),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.values),
            _ => FieldMut::NONE,
        }
    }
}
