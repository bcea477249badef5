// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceClassConfiguration;
use super::DeviceSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [DeviceClassSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceclassspec-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceClassSpec {
    pub selectors: List<DeviceSelector>,
    pub config: List<DeviceClassConfiguration>,
    pub extended_resource_name: Option<Str>,
}

impl DeviceClassSpec {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { selectors: List::EMPTY, config: List::EMPTY, extended_resource_name: None };
}

client_rs_machinery::message!(DeviceClassSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceClassSpec",
    type_meta: None,
    fields: &[
        Field::new("selectors", Flags::OMIT_EMPTY).of::<DeviceSelector>(),
        Field::new("config", Flags::OMIT_EMPTY).of::<DeviceClassConfiguration>(),
        Field::new("extendedResourceName", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(4, 2)],
};

impl Fields for DeviceClassSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.selectors,
            1 => &self.config,
            2 => &self.extended_resource_name,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.selectors,
            1 => &mut self.config,
            2 => &mut self.extended_resource_name,
            _ => return None,
        })
    }
}
