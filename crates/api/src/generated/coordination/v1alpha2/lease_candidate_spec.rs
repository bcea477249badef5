// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{MicroTime, Str};

/// [LeaseCandidateSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1alpha2-coordination-k8s-io) of `coordination.k8s.io/v1alpha2`.
#[derive(Clone, PartialEq)]
pub struct LeaseCandidateSpec {
    pub lease_name: Str,
    pub ping_time: Option<MicroTime>,
    pub renew_time: Option<MicroTime>,
    pub binary_version: Str,
    pub emulation_version: Str,
    pub strategy: Str,
}

impl LeaseCandidateSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        lease_name: Str::EMPTY,
        ping_time: None,
        renew_time: None,
        binary_version: Str::EMPTY,
        emulation_version: Str::EMPTY,
        strategy: Str::EMPTY,
    };
}

client_rs_machinery::message!(LeaseCandidateSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LeaseCandidateSpec",
    type_meta: None,
    fields: &[
        Field::new("leaseName", Flags::NONE),
        Field::new("pingTime", Flags::OMIT_EMPTY),
        Field::new("renewTime", Flags::OMIT_EMPTY),
        Field::new("binaryVersion", Flags::NONE),
        Field::new("emulationVersion", Flags::OMIT_EMPTY),
        Field::new("strategy", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for LeaseCandidateSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.lease_name,
            1 => &self.ping_time,
            2 => &self.renew_time,
            3 => &self.binary_version,
            4 => &self.emulation_version,
            5 => &self.strategy,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.lease_name,
            1 => &mut self.ping_time,
            2 => &mut self.renew_time,
            3 => &mut self.binary_version,
            4 => &mut self.emulation_version,
            5 => &mut self.strategy,
            _ => return None,
        })
    }
}
