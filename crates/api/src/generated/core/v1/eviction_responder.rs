// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EvictionResponder`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionresponder-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EvictionResponder {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionresponder-v1-core): required. Format `k8s-prefixed-label-key`.
    pub name: Str,
    /// [`priority`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionresponder-v1-core): required. From 0 to 100000.
    pub priority: Option<i32>,
}

impl EvictionResponder {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, priority: None };
}

client_rs_machinery::message!(EvictionResponder, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionResponder",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("priority", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EvictionResponder {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.priority),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.priority),
            _ => FieldMut::NONE,
        }
    }
}
