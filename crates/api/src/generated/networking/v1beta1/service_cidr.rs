// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServiceCIDRSpec;
use super::ServiceCIDRStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `ServiceCIDR` of `networking.k8s.io/v1beta1`. Since 1.31.
#[derive(Clone, PartialEq)]
pub struct ServiceCIDR {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: ServiceCIDRSpec,
    /// `status`: optional. The observed state.
    pub status: ServiceCIDRStatus,
}

impl ServiceCIDR {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: ServiceCIDRSpec::EMPTY, status: ServiceCIDRStatus::EMPTY };
}

client_rs_machinery::message!(ServiceCIDR, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServiceCIDR",
    type_meta: Some(TypeMeta {
        api_version: "networking.k8s.io/v1beta1",
        kind: "ServiceCIDR",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ServiceCIDRSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ServiceCIDRStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ServiceCIDR {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ServiceCIDR, "networking.k8s.io/v1beta1", "ServiceCIDR");

impl client_rs_machinery::Resource for ServiceCIDR {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "networking.k8s.io",
        version: "v1beta1",
        kind: "ServiceCIDR",
        plural: "servicecidrs",
        singular: "servicecidr",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "networking.k8s.io",
            version: "v1beta1",
            kind: "ServiceCIDR",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(ServiceCIDR: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
