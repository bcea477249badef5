// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [MetricIdentifier](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#metricidentifier-v2-autoscaling) of `autoscaling/v2`.
#[derive(Clone, PartialEq)]
pub struct MetricIdentifier {
    pub name: Str,
    pub selector: Option<Shared<LabelSelector>>,
}

impl MetricIdentifier {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, selector: None };
}

client_rs_machinery::message!(MetricIdentifier, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MetricIdentifier",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MetricIdentifier {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.selector,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.selector,
            _ => return None,
        })
    }
}
