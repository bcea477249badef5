// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConfigMapNodeConfigSource;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeConfigSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeConfigSource {
    /// [`configMap`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigsource-v1-core): optional.
    pub config_map: Option<Shared<ConfigMapNodeConfigSource>>,
}

impl NodeConfigSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { config_map: None };
}

client_rs_machinery::message!(NodeConfigSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeConfigSource",
    type_meta: None,
    fields: &[Field::new("configMap", Flags::OMIT_EMPTY).of::<ConfigMapNodeConfigSource>()],
    wire: &[Wire::field(2, 0)],
};

impl Fields for NodeConfigSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.config_map),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.config_map),
            _ => FieldMut::NONE,
        }
    }
}
