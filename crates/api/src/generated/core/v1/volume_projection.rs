// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ClusterTrustBundleProjection;
use super::ConfigMapProjection;
use super::DownwardAPIProjection;
use super::PodCertificateProjection;
use super::SecretProjection;
use super::ServiceAccountTokenProjection;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`VolumeProjection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeProjection {
    /// [`secret`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core): optional.
    pub secret: Option<Shared<SecretProjection>>,
    /// [`downwardAPI`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core): optional.
    pub downward_api: Option<Shared<DownwardAPIProjection>>,
    /// [`configMap`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core): optional.
    pub config_map: Option<Shared<ConfigMapProjection>>,
    /// [`serviceAccountToken`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core): optional.
    pub service_account_token: Option<Shared<ServiceAccountTokenProjection>>,
    /// [`clusterTrustBundle`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core): optional, since 1.29. Feature gate `ClusterTrustBundleProjection`.
    pub cluster_trust_bundle: Option<Shared<ClusterTrustBundleProjection>>,
    /// [`podCertificate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeprojection-v1-core): optional, since 1.34. Feature gate `PodCertificateProjection`.
    pub pod_certificate: Option<Shared<PodCertificateProjection>>,
}

impl VolumeProjection {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        secret: None,
        downward_api: None,
        config_map: None,
        service_account_token: None,
        cluster_trust_bundle: None,
        pod_certificate: None,
    };
}

client_rs_machinery::message!(VolumeProjection, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeProjection",
    type_meta: None,
    fields: &[
        Field::new("secret", Flags::OMIT_EMPTY).of::<SecretProjection>(),
        Field::new("downwardAPI", Flags::OMIT_EMPTY).of::<DownwardAPIProjection>(),
        Field::new("configMap", Flags::OMIT_EMPTY).of::<ConfigMapProjection>(),
        Field::new("serviceAccountToken", Flags::OMIT_EMPTY).of::<ServiceAccountTokenProjection>(),
        Field::new("clusterTrustBundle", Flags::OMIT_EMPTY).of::<ClusterTrustBundleProjection>(),
        Field::new("podCertificate", Flags::OMIT_EMPTY).of::<PodCertificateProjection>(),
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

impl Fields for VolumeProjection {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.secret),
            1 => FieldRef::optional(&self.downward_api),
            2 => FieldRef::optional(&self.config_map),
            3 => FieldRef::optional(&self.service_account_token),
            4 => FieldRef::optional(&self.cluster_trust_bundle),
            5 => FieldRef::optional(&self.pod_certificate),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.secret),
            1 => FieldMut::optional(&mut self.downward_api),
            2 => FieldMut::optional(&mut self.config_map),
            3 => FieldMut::optional(&mut self.service_account_token),
            4 => FieldMut::optional(&mut self.cluster_trust_bundle),
            5 => FieldMut::optional(&mut self.pod_certificate),
            _ => FieldMut::NONE,
        }
    }
}
