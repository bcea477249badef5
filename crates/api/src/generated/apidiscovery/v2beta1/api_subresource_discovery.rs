// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::GroupVersionKind;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [APISubresourceDiscovery](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apisubresourcediscovery-v2beta1-apidiscovery-k8s-io) of `apidiscovery.k8s.io/v2beta1`.
#[derive(Clone, PartialEq)]
pub struct APISubresourceDiscovery {
    pub subresource: Str,
    pub response_kind: Option<Shared<GroupVersionKind>>,
    pub accepted_types: List<GroupVersionKind>,
    pub verbs: List<Str>,
}

impl APISubresourceDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        subresource: Str::EMPTY,
        response_kind: None,
        accepted_types: List::EMPTY,
        verbs: List::EMPTY,
    };
}

client_rs_machinery::message!(APISubresourceDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APISubresourceDiscovery",
    type_meta: None,
    fields: &[
        Field::new("subresource", Flags::NONE),
        Field::new("responseKind", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("acceptedTypes", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("verbs", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for APISubresourceDiscovery {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.subresource,
            1 => &self.response_kind,
            2 => &self.accepted_types,
            3 => &self.verbs,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.subresource,
            1 => &mut self.response_kind,
            2 => &mut self.accepted_types,
            3 => &mut self.verbs,
            _ => return None,
        })
    }
}
