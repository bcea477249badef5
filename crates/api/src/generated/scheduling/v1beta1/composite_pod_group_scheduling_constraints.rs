// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TopologyConstraint;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CompositePodGroupSchedulingConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgroupschedulingconstraints-v1beta1-scheduling-k8s-io) of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CompositePodGroupSchedulingConstraints {
    /// [`topology`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgroupschedulingconstraints-v1beta1-scheduling-k8s-io): optional. At most 1 entry. Apply replaces the list.
    pub topology: List<TopologyConstraint>,
}

impl CompositePodGroupSchedulingConstraints {
    /// Every field empty.
    pub const EMPTY: Self = Self { topology: List::EMPTY };
}

client_rs_machinery::message!(CompositePodGroupSchedulingConstraints, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CompositePodGroupSchedulingConstraints",
    type_meta: None,
    fields: &[Field::new("topology", Flags::OMIT_EMPTY).of::<TopologyConstraint>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CompositePodGroupSchedulingConstraints {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.topology),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.topology),
            _ => FieldMut::NONE,
        }
    }
}
