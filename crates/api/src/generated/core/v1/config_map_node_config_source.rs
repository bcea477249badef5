// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ConfigMapNodeConfigSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapnodeconfigsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ConfigMapNodeConfigSource {
    pub namespace: Str,
    pub name: Str,
    pub uid: Str,
    pub resource_version: Str,
    pub kubelet_config_key: Str,
}

impl ConfigMapNodeConfigSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        namespace: Str::EMPTY,
        name: Str::EMPTY,
        uid: Str::EMPTY,
        resource_version: Str::EMPTY,
        kubelet_config_key: Str::EMPTY,
    };
}

client_rs_machinery::message!(ConfigMapNodeConfigSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConfigMapNodeConfigSource",
    type_meta: None,
    fields: &[
        Field::new("namespace", Flags::NONE),
        Field::new("name", Flags::NONE),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("resourceVersion", Flags::OMIT_EMPTY),
        Field::new("kubeletConfigKey", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ConfigMapNodeConfigSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.namespace,
            1 => &self.name,
            2 => &self.uid,
            3 => &self.resource_version,
            4 => &self.kubelet_config_key,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.namespace,
            1 => &mut self.name,
            2 => &mut self.uid,
            3 => &mut self.resource_version,
            4 => &mut self.kubelet_config_key,
            _ => return None,
        })
    }
}
