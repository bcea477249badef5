// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Str};

/// [`PodCertificateProjection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodCertificateProjection {
    /// [`signerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): required.
    pub signer_name: Str,
    /// [`keyType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): required.
    pub key_type: Str,
    /// [`maxExpirationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): optional.
    pub max_expiration_seconds: Option<i32>,
    /// [`credentialBundlePath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): optional.
    pub credential_bundle_path: Str,
    /// [`keyPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): optional.
    pub key_path: Str,
    /// [`certificateChainPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): optional.
    pub certificate_chain_path: Str,
    /// [`userAnnotations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): optional, since 1.35.
    pub user_annotations: Map<Str>,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificateprojection-v1-core): optional, since 1.37. Feature gate `AtomicWriteVolumeUserFields`.
    pub user: Option<i64>,
}

impl PodCertificateProjection {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        signer_name: Str::EMPTY,
        key_type: Str::EMPTY,
        max_expiration_seconds: None,
        credential_bundle_path: Str::EMPTY,
        key_path: Str::EMPTY,
        certificate_chain_path: Str::EMPTY,
        user_annotations: Map::EMPTY,
        user: None,
    };
}

client_rs_machinery::message!(PodCertificateProjection, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodCertificateProjection",
    type_meta: None,
    fields: &[
        Field::new("signerName", Flags::OMIT_EMPTY),
        Field::new("keyType", Flags::OMIT_EMPTY),
        Field::new("maxExpirationSeconds", Flags::OMIT_EMPTY),
        Field::new("credentialBundlePath", Flags::OMIT_EMPTY),
        Field::new("keyPath", Flags::OMIT_EMPTY),
        Field::new("certificateChainPath", Flags::OMIT_EMPTY),
        Field::new("userAnnotations", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for PodCertificateProjection {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.signer_name),
            1 => FieldRef::value(&self.key_type),
            2 => FieldRef::value(&self.max_expiration_seconds),
            3 => FieldRef::value(&self.credential_bundle_path),
            4 => FieldRef::value(&self.key_path),
            5 => FieldRef::value(&self.certificate_chain_path),
            6 => FieldRef::value(&self.user_annotations),
            7 => FieldRef::value(&self.user),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.signer_name),
            1 => FieldMut::value(&mut self.key_type),
            2 => FieldMut::value(&mut self.max_expiration_seconds),
            3 => FieldMut::value(&mut self.credential_bundle_path),
            4 => FieldMut::value(&mut self.key_path),
            5 => FieldMut::value(&mut self.certificate_chain_path),
            6 => FieldMut::value(&mut self.user_annotations),
            7 => FieldMut::value(&mut self.user),
            _ => FieldMut::NONE,
        }
    }
}
