// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ResourceHealth`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcehealth-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceHealth {
    /// [`resourceID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcehealth-v1-core): required.
    pub resource_id: Str,
    /// [`health`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcehealth-v1-core): optional. Known values: `Healthy`, `Unhealthy`, `Unknown`.
    pub health: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcehealth-v1-core): optional, since 1.36. Feature gate `ResourceHealthStatusMessage`.
    pub message: Option<Str>,
}

impl ResourceHealth {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource_id: Str::EMPTY, health: Str::EMPTY, message: None };
}

client_rs_machinery::message!(ResourceHealth, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceHealth",
    type_meta: None,
    fields: &[
        Field::new("resourceID", Flags::NONE),
        Field::new("health", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(6, 2)],
};

impl Fields for ResourceHealth {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.resource_id),
            1 => FieldRef::value(&self.health),
            2 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.resource_id),
            1 => FieldMut::value(&mut self.health),
            2 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
