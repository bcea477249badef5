// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Counter;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Str};

/// [`CounterSet`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#counterset-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct CounterSet {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#counterset-v1beta2-resource-k8s-io): required. A DNS label.
    pub name: Str,
    /// [`counters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#counterset-v1beta2-resource-k8s-io): required.
    pub counters: Map<Counter>,
}

impl CounterSet {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, counters: Map::EMPTY };
}

client_rs_machinery::message!(CounterSet, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CounterSet",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("counters", Flags::OMIT_EMPTY).of::<Counter>()],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for CounterSet {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.counters),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.counters),
            _ => FieldMut::NONE,
        }
    }
}
