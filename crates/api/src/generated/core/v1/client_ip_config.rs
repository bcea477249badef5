// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ClientIPConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clientipconfig-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ClientIPConfig {
    /// [`timeoutSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#clientipconfig-v1-core): optional.
    pub timeout_seconds: Option<i32>,
}

impl ClientIPConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { timeout_seconds: None };
}

client_rs_machinery::message!(ClientIPConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ClientIPConfig",
    type_meta: None,
    fields: &[Field::new("timeoutSeconds", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ClientIPConfig {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.timeout_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.timeout_seconds),
            _ => FieldMut::NONE,
        }
    }
}
