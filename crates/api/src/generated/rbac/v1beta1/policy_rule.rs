// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [PolicyRule](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#policyrule-v1beta1-rbac-authorization-k8s-io) of `rbac.authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PolicyRule {
    pub verbs: List<Str>,
    pub api_groups: List<Str>,
    pub resources: List<Str>,
    pub resource_names: List<Str>,
    pub non_resource_urls: List<Str>,
}

impl PolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        verbs: List::EMPTY,
        api_groups: List::EMPTY,
        resources: List::EMPTY,
        resource_names: List::EMPTY,
        non_resource_urls: List::EMPTY,
    };
}

client_rs_machinery::message!(PolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PolicyRule",
    type_meta: None,
    fields: &[
        Field::new("verbs", Flags::NONE),
        Field::new("apiGroups", Flags::OMIT_EMPTY),
        Field::new("resources", Flags::OMIT_EMPTY),
        Field::new("resourceNames", Flags::OMIT_EMPTY),
        Field::new("nonResourceURLs", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for PolicyRule {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.verbs,
            1 => &self.api_groups,
            2 => &self.resources,
            3 => &self.resource_names,
            4 => &self.non_resource_urls,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.verbs,
            1 => &mut self.api_groups,
            2 => &mut self.resources,
            3 => &mut self.resource_names,
            4 => &mut self.non_resource_urls,
            _ => return None,
        })
    }
}
