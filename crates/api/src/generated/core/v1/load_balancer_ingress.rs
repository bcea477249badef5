// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PortStatus;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [LoadBalancerIngress](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalanceringress-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LoadBalancerIngress {
    pub ip: Str,
    pub hostname: Str,
    pub ip_mode: Option<Str>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.ip,
            1 => &self.hostname,
            2 => &self.ip_mode,
            3 => &self.ports,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.ip,
            1 => &mut self.hostname,
            2 => &mut self.ip_mode,
            3 => &mut self.ports,
            _ => return None,
        })
    }
}
