// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EndpointConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointconditions-v1-discovery-k8s-io) of `discovery.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct EndpointConditions {
    /// [`ready`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointconditions-v1-discovery-k8s-io): optional.
    pub ready: Option<bool>,
    /// [`serving`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointconditions-v1-discovery-k8s-io): optional.
    pub serving: Option<bool>,
    /// [`terminating`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointconditions-v1-discovery-k8s-io): optional.
    pub terminating: Option<bool>,
}

impl EndpointConditions {
    /// Every field empty.
    pub const EMPTY: Self = Self { ready: None, serving: None, terminating: None };
}

client_rs_machinery::message!(EndpointConditions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointConditions",
    type_meta: None,
    fields: &[
        Field::new("ready", Flags::OMIT_EMPTY),
        Field::new("serving", Flags::OMIT_EMPTY),
        Field::new("terminating", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EndpointConditions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ready),
            1 => FieldRef::value(&self.serving),
            2 => FieldRef::value(&self.terminating),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ready),
            1 => FieldMut::value(&mut self.serving),
            2 => FieldMut::value(&mut self.terminating),
            _ => FieldMut::NONE,
        }
    }
}
