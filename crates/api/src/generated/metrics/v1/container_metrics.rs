// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Quantity, Str};

/// [ContainerMetrics](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containermetrics-v1-metrics-k8s-io) of `metrics.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerMetrics {
    pub name: Str,
    pub usage: Map<Quantity>,
}

impl ContainerMetrics {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, usage: Map::EMPTY };
}

client_rs_machinery::message!(ContainerMetrics, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerMetrics",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("usage", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerMetrics {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.usage,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.usage,
            _ => return None,
        })
    }
}
