// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIVersionDiscovery;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};

/// [APIGroupDiscovery](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigroupdiscovery-v2-apidiscovery-k8s-io) of `apidiscovery.k8s.io/v2`.
#[derive(Clone, PartialEq)]
pub struct APIGroupDiscovery {
    pub metadata: ObjectMeta,
    pub versions: List<APIVersionDiscovery>,
}

impl APIGroupDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, versions: List::EMPTY };
}

client_rs_machinery::message!(APIGroupDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIGroupDiscovery",
    type_meta: Some(TypeMeta {
        api_version: "apidiscovery.k8s.io/v2",
        kind: "APIGroupDiscovery",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("versions", Flags::OMIT_EMPTY).of::<APIVersionDiscovery>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for APIGroupDiscovery {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.versions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.versions,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(APIGroupDiscovery, "apidiscovery.k8s.io/v2", "APIGroupDiscovery");
