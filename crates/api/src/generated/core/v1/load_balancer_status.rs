// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LoadBalancerIngress;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`LoadBalancerStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalancerstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LoadBalancerStatus {
    /// [`ingress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalancerstatus-v1-core): optional. Apply replaces the list.
    pub ingress: List<LoadBalancerIngress>,
}

impl LoadBalancerStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { ingress: List::EMPTY };
}

client_rs_machinery::message!(LoadBalancerStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LoadBalancerStatus",
    type_meta: None,
    fields: &[Field::new("ingress", Flags::OMIT_EMPTY).of::<LoadBalancerIngress>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for LoadBalancerStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.ingress),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.ingress),
            _ => FieldMut::NONE,
        }
    }
}
