// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CompositeBasicSchedulingPolicy;
use super::CompositeGangSchedulingPolicy;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CompositePodGroupSchedulingPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io) of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct CompositePodGroupSchedulingPolicy {
    /// [`basic`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io): optional, immutable.
    pub basic: Option<Shared<CompositeBasicSchedulingPolicy>>,
    /// [`gang`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#compositepodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io): optional. Updates can't set or clear it.
    pub gang: Option<Shared<CompositeGangSchedulingPolicy>>,
}

impl CompositePodGroupSchedulingPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { basic: None, gang: None };
}

client_rs_machinery::message!(CompositePodGroupSchedulingPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CompositePodGroupSchedulingPolicy",
    type_meta: None,
    fields: &[
        Field::new("basic", Flags::OMIT_EMPTY).of::<CompositeBasicSchedulingPolicy>(),
        Field::new("gang", Flags::OMIT_EMPTY).of::<CompositeGangSchedulingPolicy>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for CompositePodGroupSchedulingPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.basic),
            1 => FieldRef::optional(&self.gang),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.basic),
            1 => FieldMut::optional(&mut self.gang),
            _ => FieldMut::NONE,
        }
    }
}
