// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [ResourceRule](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcerule-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourceRule {
    pub verbs: List<Str>,
    pub api_groups: List<Str>,
    pub resources: List<Str>,
    pub resource_names: List<Str>,
}

impl ResourceRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        verbs: List::EMPTY,
        api_groups: List::EMPTY,
        resources: List::EMPTY,
        resource_names: List::EMPTY,
    };
}

client_rs_machinery::message!(ResourceRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceRule",
    type_meta: None,
    fields: &[
        Field::new("verbs", Flags::NONE),
        Field::new("apiGroups", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY),
        Field::new("resourceNames", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ResourceRule {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.verbs,
            1 => &self.api_groups,
            2 => &self.resources,
            3 => &self.resource_names,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.verbs,
            1 => &mut self.api_groups,
            2 => &mut self.resources,
            3 => &mut self.resource_names,
            _ => return None,
        })
    }
}
