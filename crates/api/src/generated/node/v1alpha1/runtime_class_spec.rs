// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Overhead;
use super::Scheduling;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// `RuntimeClassSpec` of `node.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct RuntimeClassSpec {
    /// `runtimeHandler`: required, immutable. A DNS label.
    pub runtime_handler: Str,
    /// `overhead`: optional.
    pub overhead: Option<Shared<Overhead>>,
    /// `scheduling`: optional.
    pub scheduling: Option<Shared<Scheduling>>,
}

impl RuntimeClassSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { runtime_handler: Str::EMPTY, overhead: None, scheduling: None };
}

client_rs_machinery::message!(RuntimeClassSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RuntimeClassSpec",
    type_meta: None,
    fields: &[
        Field::new("runtimeHandler", Flags::NONE),
        Field::new("overhead", Flags::OMIT_EMPTY).of::<Overhead>(),
        Field::new("scheduling", Flags::OMIT_EMPTY).of::<Scheduling>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for RuntimeClassSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.runtime_handler),
            1 => FieldRef::optional(&self.overhead),
            2 => FieldRef::optional(&self.scheduling),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.runtime_handler),
            1 => FieldMut::optional(&mut self.overhead),
            2 => FieldMut::optional(&mut self.scheduling),
            _ => FieldMut::NONE,
        }
    }
}
