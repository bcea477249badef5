// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APISubresourceDiscovery;
use client_rs_machinery::meta::v1::GroupVersionKind;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [APIResourceDiscovery](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresourcediscovery-v2-apidiscovery-k8s-io) of `apidiscovery.k8s.io/v2`.
#[derive(Clone, PartialEq)]
pub struct APIResourceDiscovery {
    pub resource: Str,
    pub response_kind: Option<Shared<GroupVersionKind>>,
    pub scope: Str,
    pub singular_resource: Str,
    pub verbs: List<Str>,
    pub short_names: List<Str>,
    pub categories: List<Str>,
    pub subresources: List<APISubresourceDiscovery>,
}

impl APIResourceDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        resource: Str::EMPTY,
        response_kind: None,
        scope: Str::EMPTY,
        singular_resource: Str::EMPTY,
        verbs: List::EMPTY,
        short_names: List::EMPTY,
        categories: List::EMPTY,
        subresources: List::EMPTY,
    };
}

client_rs_machinery::message!(APIResourceDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIResourceDiscovery",
    type_meta: None,
    fields: &[
        Field::new("resource", Flags::NONE),
        Field::new("responseKind", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("scope", Flags::NONE),
        Field::new("singularResource", Flags::NONE),
        Field::new("verbs", Flags::NONE),
        Field::new("shortNames", Flags::OMIT_EMPTY),
        Field::new("categories", Flags::OMIT_EMPTY),
        Field::new("subresources", Flags::OMIT_EMPTY).of::<APISubresourceDiscovery>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for APIResourceDiscovery {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.resource,
            1 => &self.response_kind,
            2 => &self.scope,
            3 => &self.singular_resource,
            4 => &self.verbs,
            5 => &self.short_names,
            6 => &self.categories,
            7 => &self.subresources,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.resource,
            1 => &mut self.response_kind,
            2 => &mut self.scope,
            3 => &mut self.singular_resource,
            4 => &mut self.verbs,
            5 => &mut self.short_names,
            6 => &mut self.categories,
            7 => &mut self.subresources,
            _ => return None,
        })
    }
}
