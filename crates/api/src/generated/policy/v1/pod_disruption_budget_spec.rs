// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{IntOrString, Shared, Str};

/// [`PodDisruptionBudgetSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetspec-v1-policy) of `policy/v1`.
#[derive(Clone, PartialEq)]
pub struct PodDisruptionBudgetSpec {
    /// [`minAvailable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetspec-v1-policy): optional.
    pub min_available: Option<IntOrString>,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetspec-v1-policy): optional. Strategic merge patch replaces the whole value.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`maxUnavailable`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetspec-v1-policy): optional.
    pub max_unavailable: Option<IntOrString>,
    /// [`unhealthyPodEvictionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetspec-v1-policy): optional, since 1.26. One of `AlwaysAllow`, `IfHealthyBudget`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.min_available),
            1 => FieldRef::optional(&self.selector),
            2 => FieldRef::value(&self.max_unavailable),
            3 => FieldRef::value(&self.unhealthy_pod_eviction_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.min_available),
            1 => FieldMut::optional(&mut self.selector),
            2 => FieldMut::value(&mut self.max_unavailable),
            3 => FieldMut::value(&mut self.unhealthy_pod_eviction_policy),
            _ => FieldMut::NONE,
        }
    }
}
