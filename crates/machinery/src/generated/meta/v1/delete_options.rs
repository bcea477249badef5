// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Preconditions;
use crate::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};
use crate::{List, Shared, Str};

/// [DeleteOptions](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeleteOptions {
    pub grace_period_seconds: Option<i64>,
    pub preconditions: Option<Shared<Preconditions>>,
    pub orphan_dependents: Option<bool>,
    pub propagation_policy: Option<Str>,
    pub dry_run: List<Str>,
    pub ignore_store_read_error_with_cluster_breaking_potential: Option<bool>,
}

impl DeleteOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        grace_period_seconds: None,
        preconditions: None,
        orphan_dependents: None,
        propagation_policy: None,
        dry_run: List::EMPTY,
        ignore_store_read_error_with_cluster_breaking_potential: None,
    };
}

crate::message!(DeleteOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeleteOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "DeleteOptions", everywhere: true }),
    fields: &[
        Field::new("gracePeriodSeconds", Flags::OMIT_EMPTY),
        Field::new("preconditions", Flags::OMIT_EMPTY).of::<Preconditions>(),
        Field::new("orphanDependents", Flags::OMIT_EMPTY),
        Field::new("propagationPolicy", Flags::OMIT_EMPTY),
        Field::new("dryRun", Flags::OMIT_EMPTY),
        Field::new("ignoreStoreReadErrorWithClusterBreakingPotential", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for DeleteOptions {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.grace_period_seconds,
            1 => &self.preconditions,
            2 => &self.orphan_dependents,
            3 => &self.propagation_policy,
            4 => &self.dry_run,
            5 => &self.ignore_store_read_error_with_cluster_breaking_potential,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.grace_period_seconds,
            1 => &mut self.preconditions,
            2 => &mut self.orphan_dependents,
            3 => &mut self.propagation_policy,
            4 => &mut self.dry_run,
            5 => &mut self.ignore_store_read_error_with_cluster_breaking_potential,
            _ => return None,
        })
    }
}
