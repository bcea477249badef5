// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IPAddressSpec;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `IPAddress` of `networking.k8s.io/v1beta1`. Since 1.31.
#[derive(Clone, PartialEq)]
pub struct IPAddress {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: IPAddressSpec,
}

impl IPAddress {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, spec: IPAddressSpec::EMPTY };
}

client_rs_machinery::message!(IPAddress, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IPAddress",
    type_meta: Some(TypeMeta {
        api_version: "networking.k8s.io/v1beta1",
        kind: "IPAddress",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<IPAddressSpec>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IPAddress {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(IPAddress, "networking.k8s.io/v1beta1", "IPAddress");

impl client_rs_machinery::Resource for IPAddress {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "networking.k8s.io",
        version: "v1beta1",
        kind: "IPAddress",
        plural: "ipaddresses",
        singular: "ipaddress",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(IPAddress: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
