// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TopologyConstraint;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PodGroupSchedulingConstraints](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podgroupschedulingconstraints-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct PodGroupSchedulingConstraints {
    pub topology: List<TopologyConstraint>,
}

impl PodGroupSchedulingConstraints {
    /// Every field empty.
    pub const EMPTY: Self = Self { topology: List::EMPTY };
}

client_rs_machinery::message!(PodGroupSchedulingConstraints, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodGroupSchedulingConstraints",
    type_meta: None,
    fields: &[Field::new("topology", Flags::OMIT_EMPTY).of::<TopologyConstraint>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodGroupSchedulingConstraints {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.topology,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.topology,
            _ => return None,
        })
    }
}
