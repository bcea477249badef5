// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::Toleration;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Str};

/// [Scheduling](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scheduling-v1-node-k8s-io) of `node.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Scheduling {
    pub node_selector: Map<Str>,
    pub tolerations: List<Toleration>,
}

impl Scheduling {
    /// Every field empty.
    pub const EMPTY: Self = Self { node_selector: Map::EMPTY, tolerations: List::EMPTY };
}

client_rs_machinery::message!(Scheduling, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Scheduling",
    type_meta: None,
    fields: &[
        Field::new("nodeSelector", Flags::OMIT_EMPTY),
        Field::new("tolerations", Flags::OMIT_EMPTY).of::<Toleration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Scheduling {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.node_selector,
            1 => &self.tolerations,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.node_selector,
            1 => &mut self.tolerations,
            _ => return None,
        })
    }
}
