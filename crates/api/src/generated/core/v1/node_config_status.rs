// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeConfigSource;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [NodeConfigStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeConfigStatus {
    pub assigned: Option<Shared<NodeConfigSource>>,
    pub active: Option<Shared<NodeConfigSource>>,
    pub last_known_good: Option<Shared<NodeConfigSource>>,
    pub error: Str,
}

impl NodeConfigStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { assigned: None, active: None, last_known_good: None, error: Str::EMPTY };
}

client_rs_machinery::message!(NodeConfigStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeConfigStatus",
    type_meta: None,
    fields: &[
        Field::new("assigned", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("active", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("lastKnownGood", Flags::OMIT_EMPTY).of::<NodeConfigSource>(),
        Field::new("error", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for NodeConfigStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.assigned,
            1 => &self.active,
            2 => &self.last_known_good,
            3 => &self.error,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.assigned,
            1 => &mut self.active,
            2 => &mut self.last_known_good,
            3 => &mut self.error,
            _ => return None,
        })
    }
}
