// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [CertificateSigningRequestCondition](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1-certificates-k8s-io) of `certificates.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CertificateSigningRequestCondition {
    pub type_: Str,
    pub status: Str,
    pub reason: Str,
    pub message: Str,
    pub last_update_time: Option<Time>,
    pub last_transition_time: Option<Time>,
}

impl CertificateSigningRequestCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        reason: Str::EMPTY,
        message: Str::EMPTY,
        last_update_time: None,
        last_transition_time: None,
    };
}

client_rs_machinery::message!(CertificateSigningRequestCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CertificateSigningRequestCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("lastUpdateTime", Flags::NONE),
        Field::new("lastTransitionTime", Flags::NONE),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::field(3, 3),
        Wire::always(4, 4),
        Wire::always(5, 5),
        Wire::field(6, 1),
    ],
};

impl Fields for CertificateSigningRequestCondition {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.status,
            2 => &self.reason,
            3 => &self.message,
            4 => &self.last_update_time,
            5 => &self.last_transition_time,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.status,
            2 => &mut self.reason,
            3 => &mut self.message,
            4 => &mut self.last_update_time,
            5 => &mut self.last_transition_time,
            _ => return None,
        })
    }
}
