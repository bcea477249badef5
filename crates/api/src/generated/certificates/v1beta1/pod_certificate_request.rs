// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodCertificateRequestSpec;
use super::PodCertificateRequestStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PodCertificateRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequest-v1beta1-certificates-k8s-io) of `certificates.k8s.io/v1beta1`. Served as `podcertificaterequests`, namespaced. Since 1.35. Deprecated since 1.37. Replaced by `PodCertificateRequest` of `certificates.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PodCertificateRequest {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequest-v1beta1-certificates-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequest-v1beta1-certificates-k8s-io): required. The desired state.
    pub spec: Shared<PodCertificateRequestSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podcertificaterequest-v1beta1-certificates-k8s-io): optional. The observed state.
    pub status: Shared<PodCertificateRequestStatus>,
}

impl PodCertificateRequest {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(PodCertificateRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodCertificateRequest",
    type_meta: Some(TypeMeta {
        api_version: "certificates.k8s.io/v1beta1",
        kind: "PodCertificateRequest",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<PodCertificateRequestSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<PodCertificateRequestStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodCertificateRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(PodCertificateRequest, "certificates.k8s.io/v1beta1", "PodCertificateRequest");

impl client_rs_machinery::Resource for PodCertificateRequest {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "certificates.k8s.io",
        version: "v1beta1",
        kind: "PodCertificateRequest",
        plural: "podcertificaterequests",
        singular: "podcertificaterequest",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "certificates.k8s.io",
            version: "v1beta1",
            kind: "PodCertificateRequest",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(PodCertificateRequest: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
