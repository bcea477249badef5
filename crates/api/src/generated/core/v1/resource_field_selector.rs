// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Quantity, Str};

/// [`ResourceFieldSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcefieldselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceFieldSelector {
    /// [`containerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcefieldselector-v1-core): optional.
    pub container_name: Str,
    /// [`resource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcefieldselector-v1-core): required.
    pub resource: Str,
    /// [`divisor`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcefieldselector-v1-core): optional.
    pub divisor: Quantity,
}

impl ResourceFieldSelector {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { container_name: Str::EMPTY, resource: Str::EMPTY, divisor: Quantity::ZERO };
}

client_rs_machinery::message!(ResourceFieldSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceFieldSelector",
    type_meta: None,
    fields: &[
        Field::new("containerName", Flags::OMIT_EMPTY),
        Field::new("resource", Flags::NONE),
        Field::new("divisor", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceFieldSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.container_name),
            1 => FieldRef::value(&self.resource),
            2 => FieldRef::value(&self.divisor),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.container_name),
            1 => FieldMut::value(&mut self.resource),
            2 => FieldMut::value(&mut self.divisor),
            _ => FieldMut::NONE,
        }
    }
}
