// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourceClaim`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceClaim {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-core): required.
    pub name: Str,
    /// [`request`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-core): optional, since 1.31.
    pub request: Str,
}

impl ResourceClaim {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, request: Str::EMPTY };
}

client_rs_machinery::message!(ResourceClaim, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaim",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("request", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ResourceClaim {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.request),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.request),
            _ => FieldMut::NONE,
        }
    }
}
