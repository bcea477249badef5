// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`NodeSelectorRequirement`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorrequirement-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSelectorRequirement {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorrequirement-v1-core): required.
    pub key: Str,
    /// [`operator`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorrequirement-v1-core): required. One of `DoesNotExist`, `Exists`, `Gt`, `In`, `Lt`, `NotIn`.
    pub operator: Str,
    /// [`values`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorrequirement-v1-core): optional. Apply replaces the list.
    pub values: List<Str>,
}

impl NodeSelectorRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, operator: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(NodeSelectorRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSelectorRequirement",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::NONE),
        Field::new("operator", Flags::NONE),
        Field::new("values", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for NodeSelectorRequirement {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.operator),
            2 => FieldRef::value(&self.values),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.operator),
            2 => FieldMut::value(&mut self.values),
            _ => FieldMut::NONE,
        }
    }
}
