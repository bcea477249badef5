// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeviceTaintSelector](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintselector-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct DeviceTaintSelector {
    pub driver: Option<Str>,
    pub pool: Option<Str>,
    pub device: Option<Str>,
}

impl DeviceTaintSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { driver: None, pool: None, device: None };
}

client_rs_machinery::message!(DeviceTaintSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceTaintSelector",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::OMIT_EMPTY),
        Field::new("pool", Flags::OMIT_EMPTY),
        Field::new("device", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(2, 0), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for DeviceTaintSelector {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.driver,
            1 => &self.pool,
            2 => &self.device,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.driver,
            1 => &mut self.pool,
            2 => &mut self.device,
            _ => return None,
        })
    }
}
