// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionRequestStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequeststatus-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct EvictionRequestStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequeststatus-v1alpha1-lifecycle-k8s-io): optional. At most 100 entries. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionrequeststatus-v1alpha1-lifecycle-k8s-io): optional. At least 1. Updates can't clear it.
    pub observed_generation: Option<i64>,
}

impl EvictionRequestStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY, observed_generation: None };
}

client_rs_machinery::message!(EvictionRequestStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionRequestStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EvictionRequestStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::value(&self.observed_generation),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::value(&mut self.observed_generation),
            _ => FieldMut::NONE,
        }
    }
}
