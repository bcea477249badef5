// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GangSchedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gangschedulingpolicy-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct GangSchedulingPolicy {
    /// [`minCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gangschedulingpolicy-v1beta1-scheduling-k8s-io): required. At least 1.
    pub min_count: i32,
}

impl GangSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { min_count: 0 };
}

client_rs_machinery::message!(GangSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GangSchedulingPolicy",
    type_meta: None,
    fields: &[Field::new("minCount", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for GangSchedulingPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.min_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.min_count),
            _ => FieldMut::NONE,
        }
    }
}
