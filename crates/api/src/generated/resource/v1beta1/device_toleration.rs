// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeviceToleration](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetoleration-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeviceToleration {
    pub key: Str,
    pub operator: Str,
    pub value: Str,
    pub effect: Str,
    pub toleration_seconds: Option<i64>,
}

impl DeviceToleration {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        key: Str::EMPTY,
        operator: Str::EMPTY,
        value: Str::EMPTY,
        effect: Str::EMPTY,
        toleration_seconds: None,
    };
}

client_rs_machinery::message!(DeviceToleration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceToleration",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::OMIT_EMPTY),
        Field::new("operator", Flags::OMIT_EMPTY),
        Field::new("value", Flags::OMIT_EMPTY),
        Field::new("effect", Flags::OMIT_EMPTY),
        Field::new("tolerationSeconds", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for DeviceToleration {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.key,
            1 => &self.operator,
            2 => &self.value,
            3 => &self.effect,
            4 => &self.toleration_seconds,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.key,
            1 => &mut self.operator,
            2 => &mut self.value,
            3 => &mut self.effect,
            4 => &mut self.toleration_seconds,
            _ => return None,
        })
    }
}
