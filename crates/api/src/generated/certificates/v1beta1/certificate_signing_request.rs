// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CertificateSigningRequestSpec;
use super::CertificateSigningRequestStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`CertificateSigningRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequest-v1beta1-certificates-k8s-io) of `certificates.k8s.io/v1beta1`. Since 1.12. Deprecated since 1.19. Replaced by `CertificateSigningRequest` of `certificates.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CertificateSigningRequest {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequest-v1beta1-certificates-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequest-v1beta1-certificates-k8s-io): optional. The desired state.
    pub spec: Shared<CertificateSigningRequestSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#certificatesigningrequest-v1beta1-certificates-k8s-io): optional. The observed state.
    pub status: CertificateSigningRequestStatus,
}

impl CertificateSigningRequest {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: Shared::DEFAULT,
        status: CertificateSigningRequestStatus::EMPTY,
    };
}

client_rs_machinery::message!(CertificateSigningRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CertificateSigningRequest",
    type_meta: Some(TypeMeta {
        api_version: "certificates.k8s.io/v1beta1",
        kind: "CertificateSigningRequest",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<CertificateSigningRequestSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<CertificateSigningRequestStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CertificateSigningRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(
    CertificateSigningRequest,
    "certificates.k8s.io/v1beta1",
    "CertificateSigningRequest"
);

impl client_rs_machinery::Resource for CertificateSigningRequest {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "certificates.k8s.io",
        version: "v1beta1",
        kind: "CertificateSigningRequest",
        plural: "certificatesigningrequests",
        singular: "certificatesigningrequest",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "certificates.k8s.io",
            version: "v1beta1",
            kind: "CertificateSigningRequest",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(CertificateSigningRequest: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
