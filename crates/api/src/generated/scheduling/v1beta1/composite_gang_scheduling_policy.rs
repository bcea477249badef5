// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CompositeGangSchedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositegangschedulingpolicy-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CompositeGangSchedulingPolicy {
    /// [`minGroupCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositegangschedulingpolicy-v1beta1-scheduling-k8s-io): required. At least 1.
    pub min_group_count: i32,
}

impl CompositeGangSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { min_group_count: 0 };
}

client_rs_machinery::message!(CompositeGangSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CompositeGangSchedulingPolicy",
    type_meta: None,
    fields: &[Field::new("minGroupCount", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CompositeGangSchedulingPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.min_group_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.min_group_count),
            _ => FieldMut::NONE,
        }
    }
}
