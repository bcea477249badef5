// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeviceDerivedAttribute](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicederivedattribute-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceDerivedAttribute {
    pub name: Str,
    pub expression: Str,
}

impl DeviceDerivedAttribute {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, expression: Str::EMPTY };
}

client_rs_machinery::message!(DeviceDerivedAttribute, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceDerivedAttribute",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("expression", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for DeviceDerivedAttribute {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.expression,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.expression,
            _ => return None,
        })
    }
}
