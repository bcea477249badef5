// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeAffinity;
use super::PodAffinity;
use super::PodAntiAffinity;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [Affinity](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#affinity-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct Affinity {
    pub node_affinity: Option<Shared<NodeAffinity>>,
    pub pod_affinity: Option<Shared<PodAffinity>>,
    pub pod_anti_affinity: Option<Shared<PodAntiAffinity>>,
}

impl Affinity {
    /// Every field empty.
    pub const EMPTY: Self = Self { node_affinity: None, pod_affinity: None, pod_anti_affinity: None };
}

client_rs_machinery::message!(Affinity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Affinity",
    type_meta: None,
    fields: &[
        Field::new("nodeAffinity", Flags::OMIT_EMPTY).of::<NodeAffinity>(),
        Field::new("podAffinity", Flags::OMIT_EMPTY).of::<PodAffinity>(),
        Field::new("podAntiAffinity", Flags::OMIT_EMPTY).of::<PodAntiAffinity>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for Affinity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.node_affinity,
            1 => &self.pod_affinity,
            2 => &self.pod_anti_affinity,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.node_affinity,
            1 => &mut self.pod_affinity,
            2 => &mut self.pod_anti_affinity,
            _ => return None,
        })
    }
}
