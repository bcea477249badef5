// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`EndpointAddress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointaddress-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EndpointAddress {
    /// [`ip`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointaddress-v1-core): required.
    pub ip: Str,
    /// [`hostname`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointaddress-v1-core): optional.
    pub hostname: Str,
    /// [`nodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointaddress-v1-core): optional.
    pub node_name: Option<Str>,
    /// [`targetRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointaddress-v1-core): optional.
    pub target_ref: Option<Shared<ObjectReference>>,
}

impl EndpointAddress {
    /// Every field empty.
    pub const EMPTY: Self = Self { ip: Str::EMPTY, hostname: Str::EMPTY, node_name: None, target_ref: None };
}

client_rs_machinery::message!(EndpointAddress, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointAddress",
    type_meta: None,
    fields: &[
        Field::new("ip", Flags::NONE),
        Field::new("hostname", Flags::OMIT_EMPTY),
        Field::new("nodeName", Flags::OMIT_EMPTY),
        Field::new("targetRef", Flags::OMIT_EMPTY).of::<ObjectReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 3), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for EndpointAddress {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ip),
            1 => FieldRef::value(&self.hostname),
            2 => FieldRef::value(&self.node_name),
            3 => FieldRef::optional(&self.target_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ip),
            1 => FieldMut::value(&mut self.hostname),
            2 => FieldMut::value(&mut self.node_name),
            3 => FieldMut::optional(&mut self.target_ref),
            _ => FieldMut::NONE,
        }
    }
}
