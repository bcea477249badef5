// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EvictionTarget;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionspec-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionSpec {
    /// [`target`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionspec-v1alpha1-lifecycle-k8s-io): required, immutable.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.target),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.target),
            _ => FieldMut::NONE,
        }
    }
}
