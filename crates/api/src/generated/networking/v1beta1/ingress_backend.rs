// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::TypedLocalObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{IntOrString, Shared, Str};

/// `IngressBackend` of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressBackend {
    /// `serviceName`: optional.
    pub service_name: Str,
    /// `servicePort`: optional.
    pub service_port: IntOrString,
    /// `resource`: optional.
    pub resource: Option<Shared<TypedLocalObjectReference>>,
}

impl IngressBackend {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { service_name: Str::EMPTY, service_port: IntOrString::ZERO, resource: None };
}

client_rs_machinery::message!(IngressBackend, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressBackend",
    type_meta: None,
    fields: &[
        Field::new("serviceName", Flags::OMIT_EMPTY),
        Field::new("servicePort", Flags::OMIT_EMPTY),
        Field::new("resource", Flags::OMIT_EMPTY).of::<TypedLocalObjectReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for IngressBackend {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.service_name),
            1 => FieldRef::value(&self.service_port),
            2 => FieldRef::optional(&self.resource),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.service_name),
            1 => FieldMut::value(&mut self.service_port),
            2 => FieldMut::optional(&mut self.resource),
            _ => FieldMut::NONE,
        }
    }
}
