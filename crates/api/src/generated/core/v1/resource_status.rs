// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourceHealth;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`ResourceStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcestatus-v1-core): required.
    pub name: Str,
    /// [`resources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcestatus-v1-core): optional. Apply merges entries by `resourceID`.
    pub resources: List<ResourceHealth>,
}

impl ResourceStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, resources: List::EMPTY };
}

client_rs_machinery::message!(ResourceStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("resources", Flags::OMIT_EMPTY).of::<ResourceHealth>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::list(&self.resources),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::list(&mut self.resources),
            _ => FieldMut::NONE,
        }
    }
}
