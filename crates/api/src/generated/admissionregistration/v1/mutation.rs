// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ApplyConfiguration;
use super::JSONPatch;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [Mutation](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutation-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Mutation {
    pub patch_type: Str,
    pub apply_configuration: Option<Shared<ApplyConfiguration>>,
    pub json_patch: Option<Shared<JSONPatch>>,
}

impl Mutation {
    /// Every field empty.
    pub const EMPTY: Self = Self { patch_type: Str::EMPTY, apply_configuration: None, json_patch: None };
}

client_rs_machinery::message!(Mutation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Mutation",
    type_meta: None,
    fields: &[
        Field::new("patchType", Flags::NONE),
        Field::new("applyConfiguration", Flags::OMIT_EMPTY).of::<ApplyConfiguration>(),
        Field::new("jsonPatch", Flags::OMIT_EMPTY).of::<JSONPatch>(),
    ],
    wire: &[Wire::field(2, 0), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for Mutation {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.patch_type,
            1 => &self.apply_configuration,
            2 => &self.json_patch,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.patch_type,
            1 => &mut self.apply_configuration,
            2 => &mut self.json_patch,
            _ => return None,
        })
    }
}
