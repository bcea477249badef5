// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::FieldSelectorRequirement;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [FieldSelectorAttributes](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#fieldselectorattributes-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct FieldSelectorAttributes {
    pub raw_selector: Str,
    pub requirements: List<FieldSelectorRequirement>,
}

impl FieldSelectorAttributes {
    /// Every field empty.
    pub const EMPTY: Self = Self { raw_selector: Str::EMPTY, requirements: List::EMPTY };
}

client_rs_machinery::message!(FieldSelectorAttributes, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FieldSelectorAttributes",
    type_meta: None,
    fields: &[
        Field::new("rawSelector", Flags::OMIT_EMPTY),
        Field::new("requirements", Flags::OMIT_EMPTY).of::<FieldSelectorRequirement>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for FieldSelectorAttributes {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.raw_selector,
            1 => &self.requirements,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.raw_selector,
            1 => &mut self.requirements,
            _ => return None,
        })
    }
}
