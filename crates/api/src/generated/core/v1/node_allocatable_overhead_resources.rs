// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`NodeAllocatableOverheadResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverheadresources-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAllocatableOverheadResources {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverheadresources-v1-core): required.
    pub name: Str,
    /// [`perPod`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverheadresources-v1-core): optional.
    pub per_pod: Option<Quantity>,
    /// [`perContainer`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatableoverheadresources-v1-core): optional.
    pub per_container: Option<Quantity>,
}

impl NodeAllocatableOverheadResources {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, per_pod: None, per_container: None };
}

client_rs_machinery::message!(NodeAllocatableOverheadResources, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAllocatableOverheadResources",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("perPod", Flags::OMIT_EMPTY),
        Field::new("perContainer", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for NodeAllocatableOverheadResources {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.per_pod),
            2 => FieldRef::value(&self.per_container),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.per_pod),
            2 => FieldMut::value(&mut self.per_container),
            _ => FieldMut::NONE,
        }
    }
}
