// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Str};

/// [ScaleStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scalestatus-v1beta1-apps) of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ScaleStatus {
    pub replicas: i32,
    pub selector: Map<Str>,
    pub target_selector: Str,
}

impl ScaleStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { replicas: 0, selector: Map::EMPTY, target_selector: Str::EMPTY };
}

client_rs_machinery::message!(ScaleStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScaleStatus",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::NONE),
        Field::new("selector", Flags::OMIT_EMPTY),
        Field::new("targetSelector", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ScaleStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.replicas,
            1 => &self.selector,
            2 => &self.target_selector,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.replicas,
            1 => &mut self.selector,
            2 => &mut self.target_selector,
            _ => return None,
        })
    }
}
