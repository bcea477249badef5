// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`PodFailurePolicyOnExitCodesRequirement`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonexitcodesrequirement-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct PodFailurePolicyOnExitCodesRequirement {
    /// [`containerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonexitcodesrequirement-v1-batch): optional.
    pub container_name: Option<Str>,
    /// [`operator`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonexitcodesrequirement-v1-batch): required. One of `In`, `NotIn`.
    pub operator: Str,
    /// [`values`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonexitcodesrequirement-v1-batch): required. Apply merges entries.
    pub values: List<i32>,
}

impl PodFailurePolicyOnExitCodesRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { container_name: None, operator: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(PodFailurePolicyOnExitCodesRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodFailurePolicyOnExitCodesRequirement",
    type_meta: None,
    fields: &[
        Field::new("containerName", Flags::OMIT_EMPTY),
        Field::new("operator", Flags::NONE),
        Field::new("values", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodFailurePolicyOnExitCodesRequirement {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.container_name),
            1 => FieldRef::value(&self.operator),
            2 => FieldRef::value(&self.values),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.container_name),
            1 => FieldMut::value(&mut self.operator),
            2 => FieldMut::value(&mut self.values),
            _ => FieldMut::NONE,
        }
    }
}
