// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CapacityRequestPolicyRange;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Quantity, Shared};

/// [CapacityRequestPolicy](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequestpolicy-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct CapacityRequestPolicy {
    pub default: Option<Quantity>,
    pub valid_values: List<Quantity>,
    pub valid_range: Option<Shared<CapacityRequestPolicyRange>>,
}

impl CapacityRequestPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { default: None, valid_values: List::EMPTY, valid_range: None };
}

client_rs_machinery::message!(CapacityRequestPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CapacityRequestPolicy",
    type_meta: None,
    fields: &[
        Field::new("default", Flags::NONE),
        Field::new("validValues", Flags::OMIT_EMPTY),
        Field::new("validRange", Flags::OMIT_EMPTY).of::<CapacityRequestPolicyRange>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for CapacityRequestPolicy {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.default,
            1 => &self.valid_values,
            2 => &self.valid_range,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.default,
            1 => &mut self.valid_values,
            2 => &mut self.valid_range,
            _ => return None,
        })
    }
}
