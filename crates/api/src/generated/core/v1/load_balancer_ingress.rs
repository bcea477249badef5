// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PortStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`LoadBalancerIngress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalanceringress-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LoadBalancerIngress {
    /// [`ip`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalanceringress-v1-core): optional.
    pub ip: Str,
    /// [`hostname`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalanceringress-v1-core): optional.
    pub hostname: Str,
    /// [`ipMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalanceringress-v1-core): optional, since 1.29. Known values: `Proxy`, `VIP`.
    pub ip_mode: Option<Str>,
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalanceringress-v1-core): optional, since 1.20. Apply replaces the list.
    pub ports: List<PortStatus>,
}

impl LoadBalancerIngress {
    /// Every field empty.
    pub const EMPTY: Self = Self { ip: Str::EMPTY, hostname: Str::EMPTY, ip_mode: None, ports: List::EMPTY };
}

client_rs_machinery::message!(LoadBalancerIngress, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LoadBalancerIngress",
    type_meta: None,
    fields: &[
        Field::new("ip", Flags::OMIT_EMPTY),
        Field::new("hostname", Flags::OMIT_EMPTY),
        Field::new("ipMode", Flags::OMIT_EMPTY),
        Field::new("ports", Flags::OMIT_EMPTY).of::<PortStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for LoadBalancerIngress {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ip),
            1 => FieldRef::value(&self.hostname),
            2 => FieldRef::value(&self.ip_mode),
            3 => FieldRef::list(&self.ports),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ip),
            1 => FieldMut::value(&mut self.hostname),
            2 => FieldMut::value(&mut self.ip_mode),
            3 => FieldMut::list(&mut self.ports),
            _ => FieldMut::NONE,
        }
    }
}
