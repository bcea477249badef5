// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::IntOrString;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [RollingUpdateDeployment](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rollingupdatedeployment-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct RollingUpdateDeployment {
    pub max_unavailable: Option<IntOrString>,
    pub max_surge: Option<IntOrString>,
}

impl RollingUpdateDeployment {
    /// Every field empty.
    pub const EMPTY: Self = Self { max_unavailable: None, max_surge: None };
}

client_rs_machinery::message!(RollingUpdateDeployment, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RollingUpdateDeployment",
    type_meta: None,
    fields: &[Field::new("maxUnavailable", Flags::OMIT_EMPTY), Field::new("maxSurge", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for RollingUpdateDeployment {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.max_unavailable,
            1 => &self.max_surge,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.max_unavailable,
            1 => &mut self.max_surge,
            _ => return None,
        })
    }
}
