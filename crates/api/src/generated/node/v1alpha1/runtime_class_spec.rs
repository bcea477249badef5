// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Overhead;
use super::Scheduling;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [RuntimeClassSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#runtimeclassspec-v1alpha1-node-k8s-io) of `node.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct RuntimeClassSpec {
    pub runtime_handler: Str,
    pub overhead: Option<Shared<Overhead>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.runtime_handler,
            1 => &self.overhead,
            2 => &self.scheduling,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.runtime_handler,
            1 => &mut self.overhead,
            2 => &mut self.scheduling,
            _ => return None,
        })
    }
}
