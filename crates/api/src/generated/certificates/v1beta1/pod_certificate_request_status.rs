// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str, Time};

/// [`PodCertificateRequestStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequeststatus-v1beta1-certificates-k8s-io) of `certificates.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PodCertificateRequestStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequeststatus-v1beta1-certificates-k8s-io): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<Condition>,
    /// [`certificateChain`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequeststatus-v1beta1-certificates-k8s-io): optional, immutable once set.
    pub certificate_chain: Str,
    /// [`notBefore`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequeststatus-v1beta1-certificates-k8s-io): optional, immutable once set.
    pub not_before: Option<Time>,
    /// [`beginRefreshAt`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequeststatus-v1beta1-certificates-k8s-io): optional, immutable once set.
    pub begin_refresh_at: Option<Time>,
    /// [`notAfter`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequeststatus-v1beta1-certificates-k8s-io): optional, immutable once set.
    pub not_after: Option<Time>,
}

impl PodCertificateRequestStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        conditions: List::EMPTY,
        certificate_chain: Str::EMPTY,
        not_before: None,
        begin_refresh_at: None,
        not_after: None,
    };
}

client_rs_machinery::message!(PodCertificateRequestStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodCertificateRequestStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
        Field::new("certificateChain", Flags::OMIT_EMPTY),
        Field::new("notBefore", Flags::OMIT_EMPTY),
        Field::new("beginRefreshAt", Flags::OMIT_EMPTY),
        Field::new("notAfter", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(4, 2), Wire::field(5, 3), Wire::field(6, 4)],
};

impl Fields for PodCertificateRequestStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::value(&self.certificate_chain),
            2 => FieldRef::value(&self.not_before),
            3 => FieldRef::value(&self.begin_refresh_at),
            4 => FieldRef::value(&self.not_after),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::value(&mut self.certificate_chain),
            2 => FieldMut::value(&mut self.not_before),
            3 => FieldMut::value(&mut self.begin_refresh_at),
            4 => FieldMut::value(&mut self.not_after),
            _ => FieldMut::NONE,
        }
    }
}
