// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ClientIPConfig;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SessionAffinityConfig`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sessionaffinityconfig-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SessionAffinityConfig {
    /// [`clientIP`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#sessionaffinityconfig-v1-core): optional.
    pub client_ip: Option<Shared<ClientIPConfig>>,
}

impl SessionAffinityConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { client_ip: None };
}

client_rs_machinery::message!(SessionAffinityConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SessionAffinityConfig",
    type_meta: None,
    fields: &[Field::new("clientIP", Flags::OMIT_EMPTY).of::<ClientIPConfig>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SessionAffinityConfig {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.client_ip),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.client_ip),
            _ => FieldMut::NONE,
        }
    }
}
