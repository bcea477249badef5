// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [ResourcePolicyRule](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepolicyrule-v1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ResourcePolicyRule {
    pub verbs: List<Str>,
    pub api_groups: List<Str>,
    pub resources: List<Str>,
    pub cluster_scope: bool,
    pub namespaces: List<Str>,
}

impl ResourcePolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        verbs: List::EMPTY,
        api_groups: List::EMPTY,
        resources: List::EMPTY,
        cluster_scope: false,
        namespaces: List::EMPTY,
    };
}

client_rs_machinery::message!(ResourcePolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePolicyRule",
    type_meta: None,
    fields: &[
        Field::new("verbs", Flags::NONE),
        Field::new("apiGroups", Flags::NONE),
        Field::new("resources", Flags::NONE),
        Field::new("clusterScope", Flags::OMIT_EMPTY),
        Field::new("namespaces", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for ResourcePolicyRule {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.verbs,
            1 => &self.api_groups,
            2 => &self.resources,
            3 => &self.cluster_scope,
            4 => &self.namespaces,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.verbs,
            1 => &mut self.api_groups,
            2 => &mut self.resources,
            3 => &mut self.cluster_scope,
            4 => &mut self.namespaces,
            _ => return None,
        })
    }
}
