// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelector;
use super::PreferredSchedulingTerm;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared};

/// [`NodeAffinity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaffinity-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAffinity {
    /// [`requiredDuringSchedulingIgnoredDuringExecution`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaffinity-v1-core): optional.
    pub required_during_scheduling_ignored_during_execution: Option<Shared<NodeSelector>>,
    /// [`preferredDuringSchedulingIgnoredDuringExecution`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaffinity-v1-core): optional. Apply replaces the list.
    pub preferred_during_scheduling_ignored_during_execution: List<PreferredSchedulingTerm>,
}

impl NodeAffinity {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        required_during_scheduling_ignored_during_execution: None,
        preferred_during_scheduling_ignored_during_execution: List::EMPTY,
    };
}

client_rs_machinery::message!(NodeAffinity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAffinity",
    type_meta: None,
    fields: &[
        Field::new("requiredDuringSchedulingIgnoredDuringExecution", Flags::OMIT_EMPTY).of::<NodeSelector>(),
        Field::new("preferredDuringSchedulingIgnoredDuringExecution", Flags::OMIT_EMPTY)
            .of::<PreferredSchedulingTerm>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeAffinity {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.required_during_scheduling_ignored_during_execution),
            1 => FieldRef::list(&self.preferred_during_scheduling_ignored_during_execution),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.required_during_scheduling_ignored_during_execution),
            1 => FieldMut::list(&mut self.preferred_during_scheduling_ignored_during_execution),
            _ => FieldMut::NONE,
        }
    }
}
