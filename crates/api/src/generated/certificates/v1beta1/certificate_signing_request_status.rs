// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CertificateSigningRequestCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Blob, List};

/// [`CertificateSigningRequestStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequeststatus-v1beta1-certificates-k8s-io) of `certificates.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CertificateSigningRequestStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequeststatus-v1beta1-certificates-k8s-io): optional.
    pub conditions: List<CertificateSigningRequestCondition>,
    /// [`certificate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequeststatus-v1beta1-certificates-k8s-io): optional.
    pub certificate: Blob,
}

impl CertificateSigningRequestStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { conditions: List::EMPTY, certificate: Blob::EMPTY };
}

client_rs_machinery::message!(CertificateSigningRequestStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CertificateSigningRequestStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY).of::<CertificateSigningRequestCondition>(),
        Field::new("certificate", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for CertificateSigningRequestStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::value(&self.certificate),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::value(&mut self.certificate),
            _ => FieldMut::NONE,
        }
    }
}
