// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{MicroTime, Str};

/// [LeaseSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1-coordination-k8s-io) of `coordination.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LeaseSpec {
    pub holder_identity: Option<Str>,
    pub lease_duration_seconds: Option<i32>,
    pub acquire_time: Option<MicroTime>,
    pub renew_time: Option<MicroTime>,
    pub lease_transitions: Option<i32>,
    pub strategy: Option<Str>,
    pub preferred_holder: Option<Str>,
}

impl LeaseSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        holder_identity: None,
        lease_duration_seconds: None,
        acquire_time: None,
        renew_time: None,
        lease_transitions: None,
        strategy: None,
        preferred_holder: None,
    };
}

client_rs_machinery::message!(LeaseSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LeaseSpec",
    type_meta: None,
    fields: &[
        Field::new("holderIdentity", Flags::OMIT_EMPTY),
        Field::new("leaseDurationSeconds", Flags::OMIT_EMPTY),
        Field::new("acquireTime", Flags::OMIT_EMPTY),
        Field::new("renewTime", Flags::OMIT_EMPTY),
        Field::new("leaseTransitions", Flags::OMIT_EMPTY),
        Field::new("strategy", Flags::OMIT_EMPTY),
        Field::new("preferredHolder", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for LeaseSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.holder_identity,
            1 => &self.lease_duration_seconds,
            2 => &self.acquire_time,
            3 => &self.renew_time,
            4 => &self.lease_transitions,
            5 => &self.strategy,
            6 => &self.preferred_holder,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.holder_identity,
            1 => &mut self.lease_duration_seconds,
            2 => &mut self.acquire_time,
            3 => &mut self.renew_time,
            4 => &mut self.lease_transitions,
            5 => &mut self.strategy,
            6 => &mut self.preferred_holder,
            _ => return None,
        })
    }
}
