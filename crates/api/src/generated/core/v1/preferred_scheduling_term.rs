// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelectorTerm;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PreferredSchedulingTerm`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferredschedulingterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PreferredSchedulingTerm {
    /// [`weight`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferredschedulingterm-v1-core): required.
    pub weight: i32,
    /// [`preference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferredschedulingterm-v1-core): required.
    pub preference: NodeSelectorTerm,
}

impl PreferredSchedulingTerm {
    /// Every field empty.
    pub const EMPTY: Self = Self { weight: 0, preference: NodeSelectorTerm::EMPTY };
}

client_rs_machinery::message!(PreferredSchedulingTerm, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PreferredSchedulingTerm",
    type_meta: None,
    fields: &[
        Field::new("weight", Flags::NONE),
        Field::new("preference", Flags::NONE).of::<NodeSelectorTerm>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PreferredSchedulingTerm {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.weight),
            1 => FieldRef::message(&self.preference),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.weight),
            1 => FieldMut::message(&mut self.preference),
            _ => FieldMut::NONE,
        }
    }
}
