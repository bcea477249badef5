// Made by `cargo xtask codegen` from schema: change those, not this.
use super::QueuingConfiguration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`LimitResponse`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitresponse-v1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LimitResponse {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitresponse-v1-flowcontrol-apiserver-k8s-io): required. Known values: `Queue`, `Reject`.
    pub type_: Str,
    /// [`queuing`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#limitresponse-v1-flowcontrol-apiserver-k8s-io): optional.
    pub queuing: Option<Shared<QueuingConfiguration>>,
}

impl LimitResponse {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, queuing: None };
}

client_rs_machinery::message!(LimitResponse, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LimitResponse",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("queuing", Flags::OMIT_EMPTY).of::<QueuingConfiguration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for LimitResponse {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::optional(&self.queuing),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::optional(&mut self.queuing),
            _ => FieldMut::NONE,
        }
    }
}
