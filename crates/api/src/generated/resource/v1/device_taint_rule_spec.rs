// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeviceTaint;
use super::DeviceTaintSelector;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceTaintRuleSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrulespec-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceTaintRuleSpec {
    /// [`deviceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrulespec-v1-resource-k8s-io): optional.
    pub device_selector: Option<Shared<DeviceTaintSelector>>,
    /// [`taint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintrulespec-v1-resource-k8s-io): required.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.device_selector),
            1 => FieldRef::shared(&self.taint),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.device_selector),
            1 => FieldMut::shared(&mut self.taint),
            _ => FieldMut::NONE,
        }
    }
}
