// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConfigMapNodeConfigSource;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [NodeConfigSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeconfigsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeConfigSource {
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.config_map,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.config_map,
            _ => return None,
        })
    }
}
