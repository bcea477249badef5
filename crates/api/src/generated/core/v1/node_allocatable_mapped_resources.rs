// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`NodeAllocatableMappedResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemappedresources-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAllocatableMappedResources {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemappedresources-v1-core): required.
    pub name: Str,
    /// [`quantity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeallocatablemappedresources-v1-core): required.
    pub quantity: Option<Quantity>,
}

impl NodeAllocatableMappedResources {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, quantity: None };
}

client_rs_machinery::message!(NodeAllocatableMappedResources, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAllocatableMappedResources",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("quantity", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeAllocatableMappedResources {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.quantity),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.quantity),
            _ => FieldMut::NONE,
        }
    }
}
