// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`NodePodPreemptionPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodepodpreemptionpolicy-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodePodPreemptionPolicy {
    /// [`disableResizePreemption`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodepodpreemptionpolicy-v1-core): optional. At most 20 entries. Apply merges entries.
    pub disable_resize_preemption: List<Str>,
}

impl NodePodPreemptionPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { disable_resize_preemption: List::EMPTY };
}

client_rs_machinery::message!(NodePodPreemptionPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodePodPreemptionPolicy",
    type_meta: None,
    fields: &[Field::new("disableResizePreemption", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NodePodPreemptionPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.disable_resize_preemption),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.disable_resize_preemption),
            _ => FieldMut::NONE,
        }
    }
}
