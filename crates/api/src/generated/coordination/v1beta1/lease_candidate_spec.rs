// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{MicroTime, Str};

/// [`LeaseCandidateSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io) of `coordination.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct LeaseCandidateSpec {
    /// [`leaseName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io): required, immutable.
    pub lease_name: Str,
    /// [`pingTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io): optional.
    pub ping_time: Option<MicroTime>,
    /// [`renewTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io): optional.
    pub renew_time: Option<MicroTime>,
    /// [`binaryVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io): required.
    pub binary_version: Str,
    /// [`emulationVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io): optional.
    pub emulation_version: Str,
    /// [`strategy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#leasecandidatespec-v1beta1-coordination-k8s-io): required. Known value: `OldestEmulationVersion`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.lease_name),
            1 => FieldRef::value(&self.ping_time),
            2 => FieldRef::value(&self.renew_time),
            3 => FieldRef::value(&self.binary_version),
            4 => FieldRef::value(&self.emulation_version),
            5 => FieldRef::value(&self.strategy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.lease_name),
            1 => FieldMut::value(&mut self.ping_time),
            2 => FieldMut::value(&mut self.renew_time),
            3 => FieldMut::value(&mut self.binary_version),
            4 => FieldMut::value(&mut self.emulation_version),
            5 => FieldMut::value(&mut self.strategy),
            _ => FieldMut::NONE,
        }
    }
}
