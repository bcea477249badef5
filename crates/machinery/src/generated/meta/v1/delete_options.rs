// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Preconditions;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{List, Shared, Str};

/// [`DeleteOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeleteOptions {
    /// [`gracePeriodSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta): optional.
    pub grace_period_seconds: Option<i64>,
    /// [`preconditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta): optional.
    pub preconditions: Option<Shared<Preconditions>>,
    /// [`orphanDependents`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta): optional, deprecated.
    pub orphan_dependents: Option<bool>,
    /// [`propagationPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta): optional. Known values: `Background`, `Foreground`, `Orphan`.
    pub propagation_policy: Option<Str>,
    /// [`dryRun`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta): optional. Apply replaces the list.
    pub dry_run: List<Str>,
    /// [`ignoreStoreReadErrorWithClusterBreakingPotential`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deleteoptions-v1-meta): optional, since 1.32.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.grace_period_seconds),
            1 => FieldRef::optional(&self.preconditions),
            2 => FieldRef::value(&self.orphan_dependents),
            3 => FieldRef::value(&self.propagation_policy),
            4 => FieldRef::value(&self.dry_run),
            5 => FieldRef::value(&self.ignore_store_read_error_with_cluster_breaking_potential),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.grace_period_seconds),
            1 => FieldMut::optional(&mut self.preconditions),
            2 => FieldMut::value(&mut self.orphan_dependents),
            3 => FieldMut::value(&mut self.propagation_policy),
            4 => FieldMut::value(&mut self.dry_run),
            5 => FieldMut::value(&mut self.ignore_store_read_error_with_cluster_breaking_potential),
            _ => FieldMut::NONE,
        }
    }
}
