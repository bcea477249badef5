// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`CertificateSigningRequestCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io) of `certificates.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CertificateSigningRequestCondition {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io): optional. Known values: `Approved`, `Denied`, `Failed`.
    pub type_: Str,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io): optional, since 1.19. Known values: `False`, `True`, `Unknown`. Defaults to `True`.
    pub status: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io): optional.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io): optional.
    pub message: Str,
    /// [`lastUpdateTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io): optional.
    pub last_update_time: Option<Time>,
    /// [`lastTransitionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestcondition-v1beta1-certificates-k8s-io): optional, since 1.19.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.status),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.message),
            4 => FieldRef::value(&self.last_update_time),
            5 => FieldRef::value(&self.last_transition_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.status),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.message),
            4 => FieldMut::value(&mut self.last_update_time),
            5 => FieldMut::value(&mut self.last_transition_time),
            _ => FieldMut::NONE,
        }
    }
}
