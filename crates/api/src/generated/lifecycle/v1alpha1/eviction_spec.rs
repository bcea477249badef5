// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EvictionTarget;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EvictionSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionspec-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionSpec {
    pub target: EvictionTarget,
}

impl EvictionSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { target: EvictionTarget::EMPTY };
}

client_rs_machinery::message!(EvictionSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionSpec",
    type_meta: None,
    fields: &[Field::new("target", Flags::NONE).of::<EvictionTarget>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for EvictionSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.target,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.target,
            _ => return None,
        })
    }
}
