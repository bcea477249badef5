// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{IntOrString, Shared, Str};

/// [PodDisruptionBudgetSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetspec-v1-policy) of `policy/v1`.
#[derive(Clone, PartialEq)]
pub struct PodDisruptionBudgetSpec {
    pub min_available: Option<IntOrString>,
    pub selector: Option<Shared<LabelSelector>>,
    pub max_unavailable: Option<IntOrString>,
    pub unhealthy_pod_eviction_policy: Option<Str>,
}

impl PodDisruptionBudgetSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        min_available: None,
        selector: None,
        max_unavailable: None,
        unhealthy_pod_eviction_policy: None,
    };
}

client_rs_machinery::message!(PodDisruptionBudgetSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodDisruptionBudgetSpec",
    type_meta: None,
    fields: &[
        Field::new("minAvailable", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY.and(Flags::PATCH_REPLACE)).of::<LabelSelector>(),
        Field::new("maxUnavailable", Flags::OMIT_EMPTY),
        Field::new("unhealthyPodEvictionPolicy", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PodDisruptionBudgetSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.min_available,
            1 => &self.selector,
            2 => &self.max_unavailable,
            3 => &self.unhealthy_pod_eviction_policy,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.min_available,
            1 => &mut self.selector,
            2 => &mut self.max_unavailable,
            3 => &mut self.unhealthy_pod_eviction_policy,
            _ => return None,
        })
    }
}
