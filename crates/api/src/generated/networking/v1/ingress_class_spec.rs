// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressClassParametersReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [IngressClassSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressclassspec-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressClassSpec {
    pub controller: Str,
    pub parameters: Option<Shared<IngressClassParametersReference>>,
}

impl IngressClassSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { controller: Str::EMPTY, parameters: None };
}

client_rs_machinery::message!(IngressClassSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressClassSpec",
    type_meta: None,
    fields: &[
        Field::new("controller", Flags::OMIT_EMPTY),
        Field::new("parameters", Flags::OMIT_EMPTY).of::<IngressClassParametersReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IngressClassSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.controller,
            1 => &self.parameters,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.controller,
            1 => &mut self.parameters,
            _ => return None,
        })
    }
}
