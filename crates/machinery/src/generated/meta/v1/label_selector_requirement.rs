// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use crate::{List, Str};

/// [LabelSelectorRequirement](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselectorrequirement-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LabelSelectorRequirement {
    pub key: Str,
    pub operator: Str,
    pub values: List<Str>,
}

impl LabelSelectorRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, operator: Str::EMPTY, values: List::EMPTY };
}

crate::message!(LabelSelectorRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LabelSelectorRequirement",
    type_meta: None,
    fields: &[
        Field::new("key", Flags::NONE),
        Field::new("operator", Flags::NONE),
        Field::new("values", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for LabelSelectorRequirement {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.key,
            1 => &self.operator,
            2 => &self.values,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.key,
            1 => &mut self.operator,
            2 => &mut self.values,
            _ => return None,
        })
    }
}
