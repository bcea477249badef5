// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EndpointAddress;
use super::EndpointPort;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EndpointSubset`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointsubset-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EndpointSubset {
    /// [`addresses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointsubset-v1-core): optional. Apply replaces the list.
    pub addresses: List<EndpointAddress>,
    /// [`notReadyAddresses`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointsubset-v1-core): optional. Apply replaces the list.
    pub not_ready_addresses: List<EndpointAddress>,
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointsubset-v1-core): optional. Apply replaces the list.
    pub ports: List<EndpointPort>,
}

impl EndpointSubset {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { addresses: List::EMPTY, not_ready_addresses: List::EMPTY, ports: List::EMPTY };
}

client_rs_machinery::message!(EndpointSubset, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointSubset",
    type_meta: None,
    fields: &[
        Field::new("addresses", Flags::OMIT_EMPTY).of::<EndpointAddress>(),
        Field::new("notReadyAddresses", Flags::OMIT_EMPTY).of::<EndpointAddress>(),
        Field::new("ports", Flags::OMIT_EMPTY).of::<EndpointPort>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EndpointSubset {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.addresses),
            1 => FieldRef::list(&self.not_ready_addresses),
            2 => FieldRef::list(&self.ports),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.addresses),
            1 => FieldMut::list(&mut self.not_ready_addresses),
            2 => FieldMut::list(&mut self.ports),
            _ => FieldMut::NONE,
        }
    }
}
