// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Endpoint;
use super::EndpointPort;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};
use client_rs_machinery::{List, Str};

/// [EndpointSlice](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointslice-v1-discovery-k8s-io) of `discovery.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct EndpointSlice {
    pub metadata: ObjectMeta,
    pub address_type: Str,
    pub endpoints: List<Endpoint>,
    pub ports: List<EndpointPort>,
}

impl EndpointSlice {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        address_type: Str::EMPTY,
        endpoints: List::EMPTY,
        ports: List::EMPTY,
    };
}

client_rs_machinery::message!(EndpointSlice, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointSlice",
    type_meta: Some(TypeMeta {
        api_version: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("addressType", Flags::NONE),
        Field::new("endpoints", Flags::NONE).of::<Endpoint>(),
        Field::new("ports", Flags::NONE).of::<EndpointPort>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 1)],
};

impl Fields for EndpointSlice {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.address_type,
            2 => &self.endpoints,
            3 => &self.ports,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.address_type,
            2 => &mut self.endpoints,
            3 => &mut self.ports,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(EndpointSlice, "discovery.k8s.io/v1", "EndpointSlice");

impl client_rs_machinery::Resource for EndpointSlice {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "discovery.k8s.io",
        version: "v1",
        kind: "EndpointSlice",
        plural: "endpointslices",
        singular: "endpointslice",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(EndpointSlice: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
