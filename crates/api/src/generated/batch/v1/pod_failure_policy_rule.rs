// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodFailurePolicyOnExitCodesRequirement;
use super::PodFailurePolicyOnPodConditionsPattern;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`PodFailurePolicyRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyrule-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct PodFailurePolicyRule {
    /// [`action`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyrule-v1-batch): required. One of `Count`, `FailIndex`, `FailJob`, `Ignore`.
    pub action: Str,
    /// [`onExitCodes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyrule-v1-batch): optional.
    pub on_exit_codes: Option<Shared<PodFailurePolicyOnExitCodesRequirement>>,
    /// [`onPodConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyrule-v1-batch): optional. Apply replaces the list.
    pub on_pod_conditions: List<PodFailurePolicyOnPodConditionsPattern>,
}

impl PodFailurePolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { action: Str::EMPTY, on_exit_codes: None, on_pod_conditions: List::EMPTY };
}

client_rs_machinery::message!(PodFailurePolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodFailurePolicyRule",
    type_meta: None,
    fields: &[
        Field::new("action", Flags::NONE),
        Field::new("onExitCodes", Flags::OMIT_EMPTY).of::<PodFailurePolicyOnExitCodesRequirement>(),
        Field::new("onPodConditions", Flags::OMIT_EMPTY).of::<PodFailurePolicyOnPodConditionsPattern>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodFailurePolicyRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.action),
            1 => FieldRef::optional(&self.on_exit_codes),
            2 => FieldRef::list(&self.on_pod_conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.action),
            1 => FieldMut::optional(&mut self.on_exit_codes),
            2 => FieldMut::list(&mut self.on_pod_conditions),
            _ => FieldMut::NONE,
        }
    }
}
