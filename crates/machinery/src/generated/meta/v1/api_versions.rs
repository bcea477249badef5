// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServerAddressByClientCIDR;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{List, Str};

/// [`APIVersions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiversions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIVersions {
    /// [`versions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiversions-v1-meta): required. Apply replaces the list.
    pub versions: List<Str>,
    /// [`serverAddressByClientCIDRs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiversions-v1-meta): required. Apply replaces the list.
    pub server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
}

impl APIVersions {
    /// Every field empty.
    pub const EMPTY: Self = Self { versions: List::EMPTY, server_address_by_client_cidrs: List::EMPTY };
}

crate::message!(APIVersions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIVersions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "APIVersions", everywhere: false }),
    fields: &[
        Field::new("versions", Flags::NONE),
        Field::new("serverAddressByClientCIDRs", Flags::NONE).of::<ServerAddressByClientCIDR>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for APIVersions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.versions),
            1 => FieldRef::list(&self.server_address_by_client_cidrs),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.versions),
            1 => FieldMut::list(&mut self.server_address_by_client_cidrs),
            _ => FieldMut::NONE,
        }
    }
}
