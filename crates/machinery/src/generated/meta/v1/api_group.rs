// Made by `cargo xtask codegen` from schema: change those, not this.
use super::GroupVersionForDiscovery;
use super::ServerAddressByClientCIDR;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{List, Str};

/// [`APIGroup`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigroup-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIGroup {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigroup-v1-meta): required.
    pub name: Str,
    /// [`versions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigroup-v1-meta): required. Apply replaces the list.
    pub versions: List<GroupVersionForDiscovery>,
    /// [`preferredVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigroup-v1-meta): optional.
    pub preferred_version: GroupVersionForDiscovery,
    /// [`serverAddressByClientCIDRs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apigroup-v1-meta): optional. Apply replaces the list.
    pub server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
}

impl APIGroup {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        versions: List::EMPTY,
        preferred_version: GroupVersionForDiscovery::EMPTY,
        server_address_by_client_cidrs: List::EMPTY,
    };
}

crate::message!(APIGroup, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIGroup",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "APIGroup", everywhere: false }),
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("versions", Flags::NONE).of::<GroupVersionForDiscovery>(),
        Field::new("preferredVersion", Flags::OMIT_EMPTY).of::<GroupVersionForDiscovery>(),
        Field::new("serverAddressByClientCIDRs", Flags::OMIT_EMPTY).of::<ServerAddressByClientCIDR>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for APIGroup {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::list(&self.versions),
            2 => FieldRef::message(&self.preferred_version),
            3 => FieldRef::list(&self.server_address_by_client_cidrs),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::list(&mut self.versions),
            2 => FieldMut::message(&mut self.preferred_version),
            3 => FieldMut::list(&mut self.server_address_by_client_cidrs),
            _ => FieldMut::NONE,
        }
    }
}
