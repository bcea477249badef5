// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Blob, List, Map, Str, StringList};

/// [`CertificateSigningRequestSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io) of `certificates.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct CertificateSigningRequestSpec {
    /// [`request`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional.
    pub request: Blob,
    /// [`signerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional, since 1.18.
    pub signer_name: Option<Str>,
    /// [`expirationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional, since 1.22.
    pub expiration_seconds: Option<i32>,
    /// [`usages`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional.
    pub usages: List<Str>,
    /// [`username`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional.
    pub username: Str,
    /// [`uid`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional.
    pub uid: Str,
    /// [`groups`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional.
    pub groups: List<Str>,
    /// [`extra`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequestspec-v1beta1-certificates-k8s-io): optional.
    pub extra: Map<StringList>,
}

impl CertificateSigningRequestSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        request: Blob::EMPTY,
        signer_name: None,
        expiration_seconds: None,
        usages: List::EMPTY,
        username: Str::EMPTY,
        uid: Str::EMPTY,
        groups: List::EMPTY,
        extra: Map::EMPTY,
    };
}

client_rs_machinery::message!(CertificateSigningRequestSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CertificateSigningRequestSpec",
    type_meta: None,
    fields: &[
        Field::new("request", Flags::NONE),
        Field::new("signerName", Flags::OMIT_EMPTY),
        Field::new("expirationSeconds", Flags::OMIT_EMPTY),
        Field::new("usages", Flags::OMIT_EMPTY),
        Field::new("username", Flags::OMIT_EMPTY),
        Field::new("uid", Flags::OMIT_EMPTY),
        Field::new("groups", Flags::OMIT_EMPTY),
        Field::new("extra", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 4),
        Wire::field(3, 5),
        Wire::field(4, 6),
        Wire::field(5, 3),
        Wire::field(6, 7),
        Wire::field(7, 1),
        Wire::field(8, 2),
    ],
};

impl Fields for CertificateSigningRequestSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.request),
            1 => FieldRef::value(&self.signer_name),
            2 => FieldRef::value(&self.expiration_seconds),
            3 => FieldRef::value(&self.usages),
            4 => FieldRef::value(&self.username),
            5 => FieldRef::value(&self.uid),
            6 => FieldRef::value(&self.groups),
            7 => FieldRef::value(&self.extra),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.request),
            1 => FieldMut::value(&mut self.signer_name),
            2 => FieldMut::value(&mut self.expiration_seconds),
            3 => FieldMut::value(&mut self.usages),
            4 => FieldMut::value(&mut self.username),
            5 => FieldMut::value(&mut self.uid),
            6 => FieldMut::value(&mut self.groups),
            7 => FieldMut::value(&mut self.extra),
            _ => FieldMut::NONE,
        }
    }
}
