// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [NonResourceRule](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nonresourcerule-v1beta1-authorization-k8s-io) of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NonResourceRule {
    pub verbs: List<Str>,
    pub non_resource_urls: List<Str>,
}

impl NonResourceRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { verbs: List::EMPTY, non_resource_urls: List::EMPTY };
}

client_rs_machinery::message!(NonResourceRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NonResourceRule",
    type_meta: None,
    fields: &[Field::new("verbs", Flags::NONE), Field::new("nonResourceURLs", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NonResourceRule {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.verbs,
            1 => &self.non_resource_urls,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.verbs,
            1 => &mut self.non_resource_urls,
            _ => return None,
        })
    }
}
