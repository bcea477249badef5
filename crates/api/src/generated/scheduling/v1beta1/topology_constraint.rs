// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`TopologyConstraint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyconstraint-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct TopologyConstraint {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyconstraint-v1beta1-scheduling-k8s-io): required. Format `k8s-label-key`.
    pub key: Str,
}

impl TopologyConstraint {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY };
}

client_rs_machinery::message!(TopologyConstraint, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TopologyConstraint",
    type_meta: None,
    fields: &[Field::new("key", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for TopologyConstraint {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            _ => FieldMut::NONE,
        }
    }
}
