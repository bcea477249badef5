// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Blob, Map, Str};

/// [`PodCertificateRequestSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io) of `certificates.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PodCertificateRequestSpec {
    /// [`signerName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub signer_name: Str,
    /// [`podName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub pod_name: Str,
    /// [`podUID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub pod_uid: Str,
    /// [`serviceAccountName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub service_account_name: Str,
    /// [`serviceAccountUID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub service_account_uid: Str,
    /// [`nodeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub node_name: Str,
    /// [`nodeUID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub node_uid: Str,
    /// [`maxExpirationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): optional. Defaults to `86400`.
    pub max_expiration_seconds: Option<i32>,
    /// [`stubPKCS10Request`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): required.
    pub stub_pkcs10_request: Blob,
    /// [`unverifiedUserAnnotations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequestspec-v1-certificates-k8s-io): optional.
    pub unverified_user_annotations: Map<Str>,
}

impl PodCertificateRequestSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        signer_name: Str::EMPTY,
        pod_name: Str::EMPTY,
        pod_uid: Str::EMPTY,
        service_account_name: Str::EMPTY,
        service_account_uid: Str::EMPTY,
        node_name: Str::EMPTY,
        node_uid: Str::EMPTY,
        max_expiration_seconds: None,
        stub_pkcs10_request: Blob::EMPTY,
        unverified_user_annotations: Map::EMPTY,
    };
}

client_rs_machinery::message!(PodCertificateRequestSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodCertificateRequestSpec",
    type_meta: None,
    fields: &[
        Field::new("signerName", Flags::NONE),
        Field::new("podName", Flags::NONE),
        Field::new("podUID", Flags::NONE),
        Field::new("serviceAccountName", Flags::NONE),
        Field::new("serviceAccountUID", Flags::NONE),
        Field::new("nodeName", Flags::NONE),
        Field::new("nodeUID", Flags::NONE),
        Field::new("maxExpirationSeconds", Flags::OMIT_EMPTY),
        Field::new("stubPKCS10Request", Flags::NONE),
        Field::new("unverifiedUserAnnotations", Flags::OMIT_EMPTY),
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
        Wire::field(11, 9),
        Wire::field(12, 8),
    ],
};

impl Fields for PodCertificateRequestSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.signer_name),
            1 => FieldRef::value(&self.pod_name),
            2 => FieldRef::value(&self.pod_uid),
            3 => FieldRef::value(&self.service_account_name),
            4 => FieldRef::value(&self.service_account_uid),
            5 => FieldRef::value(&self.node_name),
            6 => FieldRef::value(&self.node_uid),
            7 => FieldRef::value(&self.max_expiration_seconds),
            8 => FieldRef::value(&self.stub_pkcs10_request),
            9 => FieldRef::value(&self.unverified_user_annotations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.signer_name),
            1 => FieldMut::value(&mut self.pod_name),
            2 => FieldMut::value(&mut self.pod_uid),
            3 => FieldMut::value(&mut self.service_account_name),
            4 => FieldMut::value(&mut self.service_account_uid),
            5 => FieldMut::value(&mut self.node_name),
            6 => FieldMut::value(&mut self.node_uid),
            7 => FieldMut::value(&mut self.max_expiration_seconds),
            8 => FieldMut::value(&mut self.stub_pkcs10_request),
            9 => FieldMut::value(&mut self.unverified_user_annotations),
            _ => FieldMut::NONE,
        }
    }
}
