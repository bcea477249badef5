// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressLoadBalancerStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `IngressStatus` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressStatus {
    /// `loadBalancer`: optional.
    pub load_balancer: IngressLoadBalancerStatus,
}

impl IngressStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { load_balancer: IngressLoadBalancerStatus::EMPTY };
}

client_rs_machinery::message!(IngressStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressStatus",
    type_meta: None,
    fields: &[Field::new("loadBalancer", Flags::OMIT_EMPTY).of::<IngressLoadBalancerStatus>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for IngressStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.load_balancer),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.load_balancer),
            _ => FieldMut::NONE,
        }
    }
}
