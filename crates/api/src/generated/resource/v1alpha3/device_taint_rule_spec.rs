// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceTaint;
use super::DeviceTaintSelector;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeviceTaintRuleSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrulespec-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct DeviceTaintRuleSpec {
    pub device_selector: Option<Shared<DeviceTaintSelector>>,
    pub taint: Shared<DeviceTaint>,
}

impl DeviceTaintRuleSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { device_selector: None, taint: Shared::DEFAULT };
}

client_rs_machinery::message!(DeviceTaintRuleSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceTaintRuleSpec",
    type_meta: None,
    fields: &[
        Field::new("deviceSelector", Flags::OMIT_EMPTY).of::<DeviceTaintSelector>(),
        Field::new("taint", Flags::OMIT_EMPTY).of::<DeviceTaint>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for DeviceTaintRuleSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.device_selector,
            1 => &self.taint,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.device_selector,
            1 => &mut self.taint,
            _ => return None,
        })
    }
}
