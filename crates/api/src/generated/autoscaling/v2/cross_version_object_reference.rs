// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CrossVersionObjectReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#crossversionobjectreference-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct CrossVersionObjectReference {
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#crossversionobjectreference-v2-autoscaling): required.
    pub kind: Str,
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#crossversionobjectreference-v2-autoscaling): required.
    pub name: Str,
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#crossversionobjectreference-v2-autoscaling): optional.
    pub api_version: Str,
}

impl CrossVersionObjectReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { kind: Str::EMPTY, name: Str::EMPTY, api_version: Str::EMPTY };
}

client_rs_machinery::message!(CrossVersionObjectReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CrossVersionObjectReference",
    type_meta: None,
    fields: &[
        Field::new("kind", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("apiVersion", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CrossVersionObjectReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.kind),
            1 => FieldRef::value(&self.name),
            2 => FieldRef::value(&self.api_version),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.kind),
            1 => FieldMut::value(&mut self.name),
            2 => FieldMut::value(&mut self.api_version),
            _ => FieldMut::NONE,
        }
    }
}
