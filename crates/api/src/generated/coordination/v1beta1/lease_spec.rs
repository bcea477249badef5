// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{MicroTime, Str};

/// [`LeaseSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io) of `coordination.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct LeaseSpec {
    /// [`holderIdentity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional.
    pub holder_identity: Option<Str>,
    /// [`leaseDurationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional.
    pub lease_duration_seconds: Option<i32>,
    /// [`acquireTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional.
    pub acquire_time: Option<MicroTime>,
    /// [`renewTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional.
    pub renew_time: Option<MicroTime>,
    /// [`leaseTransitions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional.
    pub lease_transitions: Option<i32>,
    /// [`strategy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional, since 1.31. Known value: `OldestEmulationVersion`. Feature gate `CoordinatedLeaderElection`.
    pub strategy: Option<Str>,
    /// [`preferredHolder`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasespec-v1beta1-coordination-k8s-io): optional, since 1.31. Feature gate `CoordinatedLeaderElection`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.holder_identity),
            1 => FieldRef::value(&self.lease_duration_seconds),
            2 => FieldRef::value(&self.acquire_time),
            3 => FieldRef::value(&self.renew_time),
            4 => FieldRef::value(&self.lease_transitions),
            5 => FieldRef::value(&self.strategy),
            6 => FieldRef::value(&self.preferred_holder),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.holder_identity),
            1 => FieldMut::value(&mut self.lease_duration_seconds),
            2 => FieldMut::value(&mut self.acquire_time),
            3 => FieldMut::value(&mut self.renew_time),
            4 => FieldMut::value(&mut self.lease_transitions),
            5 => FieldMut::value(&mut self.strategy),
            6 => FieldMut::value(&mut self.preferred_holder),
            _ => FieldMut::NONE,
        }
    }
}
