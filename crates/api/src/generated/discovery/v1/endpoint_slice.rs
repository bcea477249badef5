// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Endpoint;
use super::EndpointPort;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{List, Str};

/// [`EndpointSlice`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointslice-v1-discovery-k8s-io) of `discovery.k8s.io/v1`. Served as `endpointslices`, namespaced. Since 1.21.
#[derive(Clone, PartialEq)]
pub struct EndpointSlice {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointslice-v1-discovery-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`addressType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointslice-v1-discovery-k8s-io): required, immutable. One of `FQDN`, `IPv4`, `IPv6`.
    pub address_type: Str,
    /// [`endpoints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointslice-v1-discovery-k8s-io): optional. Apply replaces the list.
    pub endpoints: List<Endpoint>,
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointslice-v1-discovery-k8s-io): optional. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.address_type),
            2 => FieldRef::list(&self.endpoints),
            3 => FieldRef::list(&self.ports),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.address_type),
            2 => FieldMut::list(&mut self.endpoints),
            3 => FieldMut::list(&mut self.ports),
            _ => FieldMut::NONE,
        }
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
