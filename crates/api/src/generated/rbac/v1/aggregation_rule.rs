// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [AggregationRule](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#aggregationrule-v1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct AggregationRule {
    pub cluster_role_selectors: List<LabelSelector>,
}

impl AggregationRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { cluster_role_selectors: List::EMPTY };
}

client_rs_machinery::message!(AggregationRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AggregationRule",
    type_meta: None,
    fields: &[Field::new("clusterRoleSelectors", Flags::OMIT_EMPTY).of::<LabelSelector>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for AggregationRule {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.cluster_role_selectors,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.cluster_role_selectors,
            _ => return None,
        })
    }
}
