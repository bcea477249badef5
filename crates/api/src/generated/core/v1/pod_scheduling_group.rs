// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodSchedulingGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podschedulinggroup-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodSchedulingGroup {
    /// [`podGroupName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podschedulinggroup-v1-core): optional.
    pub pod_group_name: Option<Str>,
}

impl PodSchedulingGroup {
    /// Every field empty.
    pub const EMPTY: Self = Self { pod_group_name: None };
}

client_rs_machinery::message!(PodSchedulingGroup, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodSchedulingGroup",
    type_meta: None,
    fields: &[Field::new("podGroupName", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodSchedulingGroup {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.pod_group_name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.pod_group_name),
            _ => FieldMut::NONE,
        }
    }
}
