// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PreferAvoidPodsEntry;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AvoidPods`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#avoidpods-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct AvoidPods {
    /// [`preferAvoidPods`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#avoidpods-v1-core): optional.
    pub prefer_avoid_pods: List<PreferAvoidPodsEntry>,
}

impl AvoidPods {
    /// Every field empty.
    pub const EMPTY: Self = Self { prefer_avoid_pods: List::EMPTY };
}

client_rs_machinery::message!(AvoidPods, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AvoidPods",
    type_meta: None,
    fields: &[Field::new("preferAvoidPods", Flags::OMIT_EMPTY).of::<PreferAvoidPodsEntry>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for AvoidPods {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.prefer_avoid_pods),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.prefer_avoid_pods),
            _ => FieldMut::NONE,
        }
    }
}
