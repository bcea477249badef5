// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ExemptPriorityLevelConfiguration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#exemptprioritylevelconfiguration-v1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ExemptPriorityLevelConfiguration {
    /// [`nominalConcurrencyShares`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#exemptprioritylevelconfiguration-v1-flowcontrol-apiserver-k8s-io): optional.
    pub nominal_concurrency_shares: Option<i32>,
    /// [`lendablePercent`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#exemptprioritylevelconfiguration-v1-flowcontrol-apiserver-k8s-io): optional.
    pub lendable_percent: Option<i32>,
}

impl ExemptPriorityLevelConfiguration {
    /// Every field empty.
    pub const EMPTY: Self = Self { nominal_concurrency_shares: None, lendable_percent: None };
}

client_rs_machinery::message!(ExemptPriorityLevelConfiguration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExemptPriorityLevelConfiguration",
    type_meta: None,
    fields: &[
        Field::new("nominalConcurrencyShares", Flags::OMIT_EMPTY),
        Field::new("lendablePercent", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ExemptPriorityLevelConfiguration {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.nominal_concurrency_shares),
            1 => FieldRef::value(&self.lendable_percent),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.nominal_concurrency_shares),
            1 => FieldMut::value(&mut self.lendable_percent),
            _ => FieldMut::NONE,
        }
    }
}
