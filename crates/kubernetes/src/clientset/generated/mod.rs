// Made by `cargo xtask codegen` from schema: change those, not this.
//! One type per group version.

#[cfg(feature = "admissionregistration")]
mod admissionregistration_v1;
#[cfg(feature = "admissionregistration")]
mod admissionregistration_v1alpha1;
#[cfg(feature = "admissionregistration")]
mod admissionregistration_v1beta1;
#[cfg(feature = "apiextensions")]
mod apiextensions_v1;
#[cfg(feature = "apiextensions")]
mod apiextensions_v1beta1;
#[cfg(feature = "apiregistration")]
mod apiregistration_v1;
#[cfg(feature = "apiregistration")]
mod apiregistration_v1beta1;
#[cfg(feature = "apps")]
mod apps_v1;
#[cfg(feature = "apps")]
mod apps_v1beta1;
#[cfg(feature = "apps")]
mod apps_v1beta2;
#[cfg(feature = "authentication")]
mod authentication_v1;
#[cfg(feature = "authentication")]
mod authentication_v1alpha1;
#[cfg(feature = "authentication")]
mod authentication_v1beta1;
#[cfg(feature = "authorization")]
mod authorization_v1;
#[cfg(feature = "authorization")]
mod authorization_v1beta1;
#[cfg(feature = "autoscaling")]
mod autoscaling_v1;
#[cfg(feature = "autoscaling")]
mod autoscaling_v2;
#[cfg(feature = "batch")]
mod batch_v1;
#[cfg(feature = "batch")]
mod batch_v1beta1;
#[cfg(feature = "certificates")]
mod certificates_v1;
#[cfg(feature = "certificates")]
mod certificates_v1alpha1;
#[cfg(feature = "certificates")]
mod certificates_v1beta1;
#[cfg(feature = "coordination")]
mod coordination_v1;
#[cfg(feature = "coordination")]
mod coordination_v1alpha2;
#[cfg(feature = "coordination")]
mod coordination_v1beta1;
#[cfg(feature = "core")]
mod core_v1;
#[cfg(feature = "discovery")]
mod discovery_v1;
#[cfg(feature = "discovery")]
mod discovery_v1beta1;
#[cfg(feature = "events")]
mod events_v1;
#[cfg(feature = "events")]
mod events_v1beta1;
#[cfg(feature = "extensions")]
mod extensions_v1beta1;
#[cfg(feature = "flowcontrol")]
mod flowcontrol_v1;
#[cfg(feature = "flowcontrol")]
mod flowcontrol_v1beta1;
#[cfg(feature = "flowcontrol")]
mod flowcontrol_v1beta2;
#[cfg(feature = "flowcontrol")]
mod flowcontrol_v1beta3;
#[cfg(feature = "apiserverinternal")]
mod internal_v1alpha1;
#[cfg(feature = "lifecycle")]
mod lifecycle_v1alpha1;
#[cfg(feature = "metrics")]
mod metrics_v1;
#[cfg(feature = "metrics")]
mod metrics_v1alpha1;
#[cfg(feature = "metrics")]
mod metrics_v1beta1;
#[cfg(feature = "networking")]
mod networking_v1;
#[cfg(feature = "networking")]
mod networking_v1beta1;
#[cfg(feature = "node")]
mod node_v1;
#[cfg(feature = "node")]
mod node_v1alpha1;
#[cfg(feature = "node")]
mod node_v1beta1;
#[cfg(feature = "policy")]
mod policy_v1;
#[cfg(feature = "policy")]
mod policy_v1beta1;
#[cfg(feature = "rbac")]
mod rbac_v1;
#[cfg(feature = "rbac")]
mod rbac_v1alpha1;
#[cfg(feature = "rbac")]
mod rbac_v1beta1;
#[cfg(feature = "resource")]
mod resource_v1;
#[cfg(feature = "resource")]
mod resource_v1alpha3;
#[cfg(feature = "resource")]
mod resource_v1beta1;
#[cfg(feature = "resource")]
mod resource_v1beta2;
#[cfg(feature = "scheduling")]
mod scheduling_v1;
#[cfg(feature = "scheduling")]
mod scheduling_v1alpha3;
#[cfg(feature = "scheduling")]
mod scheduling_v1beta1;
#[cfg(feature = "storage")]
mod storage_v1;
#[cfg(feature = "storage")]
mod storage_v1alpha1;
#[cfg(feature = "storage")]
mod storage_v1beta1;
#[cfg(feature = "storagemigration")]
mod storagemigration_v1;
#[cfg(feature = "storagemigration")]
mod storagemigration_v1beta1;

#[cfg(feature = "admissionregistration")]
pub use admissionregistration_v1::AdmissionregistrationV1;
#[cfg(feature = "admissionregistration")]
pub use admissionregistration_v1alpha1::AdmissionregistrationV1alpha1;
#[cfg(feature = "admissionregistration")]
pub use admissionregistration_v1beta1::AdmissionregistrationV1beta1;
#[cfg(feature = "apiextensions")]
pub use apiextensions_v1::ApiextensionsV1;
#[cfg(feature = "apiextensions")]
pub use apiextensions_v1beta1::ApiextensionsV1beta1;
#[cfg(feature = "apiregistration")]
pub use apiregistration_v1::ApiregistrationV1;
#[cfg(feature = "apiregistration")]
pub use apiregistration_v1beta1::ApiregistrationV1beta1;
#[cfg(feature = "apps")]
pub use apps_v1::AppsV1;
#[cfg(feature = "apps")]
pub use apps_v1beta1::AppsV1beta1;
#[cfg(feature = "apps")]
pub use apps_v1beta2::AppsV1beta2;
#[cfg(feature = "authentication")]
pub use authentication_v1::AuthenticationV1;
#[cfg(feature = "authentication")]
pub use authentication_v1alpha1::AuthenticationV1alpha1;
#[cfg(feature = "authentication")]
pub use authentication_v1beta1::AuthenticationV1beta1;
#[cfg(feature = "authorization")]
pub use authorization_v1::AuthorizationV1;
#[cfg(feature = "authorization")]
pub use authorization_v1beta1::AuthorizationV1beta1;
#[cfg(feature = "autoscaling")]
pub use autoscaling_v1::AutoscalingV1;
#[cfg(feature = "autoscaling")]
pub use autoscaling_v2::AutoscalingV2;
#[cfg(feature = "batch")]
pub use batch_v1::BatchV1;
#[cfg(feature = "batch")]
pub use batch_v1beta1::BatchV1beta1;
#[cfg(feature = "certificates")]
pub use certificates_v1::CertificatesV1;
#[cfg(feature = "certificates")]
pub use certificates_v1alpha1::CertificatesV1alpha1;
#[cfg(feature = "certificates")]
pub use certificates_v1beta1::CertificatesV1beta1;
#[cfg(feature = "coordination")]
pub use coordination_v1::CoordinationV1;
#[cfg(feature = "coordination")]
pub use coordination_v1alpha2::CoordinationV1alpha2;
#[cfg(feature = "coordination")]
pub use coordination_v1beta1::CoordinationV1beta1;
#[cfg(feature = "core")]
pub use core_v1::CoreV1;
#[cfg(feature = "discovery")]
pub use discovery_v1::DiscoveryV1;
#[cfg(feature = "discovery")]
pub use discovery_v1beta1::DiscoveryV1beta1;
#[cfg(feature = "events")]
pub use events_v1::EventsV1;
#[cfg(feature = "events")]
pub use events_v1beta1::EventsV1beta1;
#[cfg(feature = "extensions")]
pub use extensions_v1beta1::ExtensionsV1beta1;
#[cfg(feature = "flowcontrol")]
pub use flowcontrol_v1::FlowcontrolV1;
#[cfg(feature = "flowcontrol")]
pub use flowcontrol_v1beta1::FlowcontrolV1beta1;
#[cfg(feature = "flowcontrol")]
pub use flowcontrol_v1beta2::FlowcontrolV1beta2;
#[cfg(feature = "flowcontrol")]
pub use flowcontrol_v1beta3::FlowcontrolV1beta3;
#[cfg(feature = "apiserverinternal")]
pub use internal_v1alpha1::InternalV1alpha1;
#[cfg(feature = "lifecycle")]
pub use lifecycle_v1alpha1::LifecycleV1alpha1;
#[cfg(feature = "metrics")]
pub use metrics_v1::MetricsV1;
#[cfg(feature = "metrics")]
pub use metrics_v1alpha1::MetricsV1alpha1;
#[cfg(feature = "metrics")]
pub use metrics_v1beta1::MetricsV1beta1;
#[cfg(feature = "networking")]
pub use networking_v1::NetworkingV1;
#[cfg(feature = "networking")]
pub use networking_v1beta1::NetworkingV1beta1;
#[cfg(feature = "node")]
pub use node_v1::NodeV1;
#[cfg(feature = "node")]
pub use node_v1alpha1::NodeV1alpha1;
#[cfg(feature = "node")]
pub use node_v1beta1::NodeV1beta1;
#[cfg(feature = "policy")]
pub use policy_v1::PolicyV1;
#[cfg(feature = "policy")]
pub use policy_v1beta1::PolicyV1beta1;
#[cfg(feature = "rbac")]
pub use rbac_v1::RbacV1;
#[cfg(feature = "rbac")]
pub use rbac_v1alpha1::RbacV1alpha1;
#[cfg(feature = "rbac")]
pub use rbac_v1beta1::RbacV1beta1;
#[cfg(feature = "resource")]
pub use resource_v1::ResourceV1;
#[cfg(feature = "resource")]
pub use resource_v1alpha3::ResourceV1alpha3;
#[cfg(feature = "resource")]
pub use resource_v1beta1::ResourceV1beta1;
#[cfg(feature = "resource")]
pub use resource_v1beta2::ResourceV1beta2;
#[cfg(feature = "scheduling")]
pub use scheduling_v1::SchedulingV1;
#[cfg(feature = "scheduling")]
pub use scheduling_v1alpha3::SchedulingV1alpha3;
#[cfg(feature = "scheduling")]
pub use scheduling_v1beta1::SchedulingV1beta1;
#[cfg(feature = "storage")]
pub use storage_v1::StorageV1;
#[cfg(feature = "storage")]
pub use storage_v1alpha1::StorageV1alpha1;
#[cfg(feature = "storage")]
pub use storage_v1beta1::StorageV1beta1;
#[cfg(feature = "storagemigration")]
pub use storagemigration_v1::StoragemigrationV1;
#[cfg(feature = "storagemigration")]
pub use storagemigration_v1beta1::StoragemigrationV1beta1;

/// The clients of groups, each of a version.
impl super::Clientset {
    /// The resources of `v1`.
    #[cfg(feature = "core")]
    #[inline]
    pub fn core_v1(&self) -> CoreV1 {
        CoreV1::new(&self.rest)
    }

    /// The resources of `admissionregistration.k8s.io/v1`.
    #[cfg(feature = "admissionregistration")]
    #[inline]
    pub fn admissionregistration_v1(&self) -> AdmissionregistrationV1 {
        AdmissionregistrationV1::new(&self.rest)
    }

    /// The resources of `admissionregistration.k8s.io/v1alpha1`.
    #[cfg(feature = "admissionregistration")]
    #[inline]
    pub fn admissionregistration_v1alpha1(&self) -> AdmissionregistrationV1alpha1 {
        AdmissionregistrationV1alpha1::new(&self.rest)
    }

    /// The resources of `admissionregistration.k8s.io/v1beta1`.
    #[cfg(feature = "admissionregistration")]
    #[inline]
    pub fn admissionregistration_v1beta1(&self) -> AdmissionregistrationV1beta1 {
        AdmissionregistrationV1beta1::new(&self.rest)
    }

    /// The resources of `apiextensions.k8s.io/v1`.
    #[cfg(feature = "apiextensions")]
    #[inline]
    pub fn apiextensions_v1(&self) -> ApiextensionsV1 {
        ApiextensionsV1::new(&self.rest)
    }

    /// The resources of `apiextensions.k8s.io/v1beta1`.
    #[cfg(feature = "apiextensions")]
    #[inline]
    pub fn apiextensions_v1beta1(&self) -> ApiextensionsV1beta1 {
        ApiextensionsV1beta1::new(&self.rest)
    }

    /// The resources of `apiregistration.k8s.io/v1`.
    #[cfg(feature = "apiregistration")]
    #[inline]
    pub fn apiregistration_v1(&self) -> ApiregistrationV1 {
        ApiregistrationV1::new(&self.rest)
    }

    /// The resources of `apiregistration.k8s.io/v1beta1`.
    #[cfg(feature = "apiregistration")]
    #[inline]
    pub fn apiregistration_v1beta1(&self) -> ApiregistrationV1beta1 {
        ApiregistrationV1beta1::new(&self.rest)
    }

    /// The resources of `apps/v1`.
    #[cfg(feature = "apps")]
    #[inline]
    pub fn apps_v1(&self) -> AppsV1 {
        AppsV1::new(&self.rest)
    }

    /// The resources of `apps/v1beta1`.
    #[cfg(feature = "apps")]
    #[inline]
    pub fn apps_v1beta1(&self) -> AppsV1beta1 {
        AppsV1beta1::new(&self.rest)
    }

    /// The resources of `apps/v1beta2`.
    #[cfg(feature = "apps")]
    #[inline]
    pub fn apps_v1beta2(&self) -> AppsV1beta2 {
        AppsV1beta2::new(&self.rest)
    }

    /// The resources of `authentication.k8s.io/v1`.
    #[cfg(feature = "authentication")]
    #[inline]
    pub fn authentication_v1(&self) -> AuthenticationV1 {
        AuthenticationV1::new(&self.rest)
    }

    /// The resources of `authentication.k8s.io/v1alpha1`.
    #[cfg(feature = "authentication")]
    #[inline]
    pub fn authentication_v1alpha1(&self) -> AuthenticationV1alpha1 {
        AuthenticationV1alpha1::new(&self.rest)
    }

    /// The resources of `authentication.k8s.io/v1beta1`.
    #[cfg(feature = "authentication")]
    #[inline]
    pub fn authentication_v1beta1(&self) -> AuthenticationV1beta1 {
        AuthenticationV1beta1::new(&self.rest)
    }

    /// The resources of `authorization.k8s.io/v1`.
    #[cfg(feature = "authorization")]
    #[inline]
    pub fn authorization_v1(&self) -> AuthorizationV1 {
        AuthorizationV1::new(&self.rest)
    }

    /// The resources of `authorization.k8s.io/v1beta1`.
    #[cfg(feature = "authorization")]
    #[inline]
    pub fn authorization_v1beta1(&self) -> AuthorizationV1beta1 {
        AuthorizationV1beta1::new(&self.rest)
    }

    /// The resources of `autoscaling/v1`.
    #[cfg(feature = "autoscaling")]
    #[inline]
    pub fn autoscaling_v1(&self) -> AutoscalingV1 {
        AutoscalingV1::new(&self.rest)
    }

    /// The resources of `autoscaling/v2`.
    #[cfg(feature = "autoscaling")]
    #[inline]
    pub fn autoscaling_v2(&self) -> AutoscalingV2 {
        AutoscalingV2::new(&self.rest)
    }

    /// The resources of `batch/v1`.
    #[cfg(feature = "batch")]
    #[inline]
    pub fn batch_v1(&self) -> BatchV1 {
        BatchV1::new(&self.rest)
    }

    /// The resources of `batch/v1beta1`.
    #[cfg(feature = "batch")]
    #[inline]
    pub fn batch_v1beta1(&self) -> BatchV1beta1 {
        BatchV1beta1::new(&self.rest)
    }

    /// The resources of `certificates.k8s.io/v1`.
    #[cfg(feature = "certificates")]
    #[inline]
    pub fn certificates_v1(&self) -> CertificatesV1 {
        CertificatesV1::new(&self.rest)
    }

    /// The resources of `certificates.k8s.io/v1alpha1`.
    #[cfg(feature = "certificates")]
    #[inline]
    pub fn certificates_v1alpha1(&self) -> CertificatesV1alpha1 {
        CertificatesV1alpha1::new(&self.rest)
    }

    /// The resources of `certificates.k8s.io/v1beta1`.
    #[cfg(feature = "certificates")]
    #[inline]
    pub fn certificates_v1beta1(&self) -> CertificatesV1beta1 {
        CertificatesV1beta1::new(&self.rest)
    }

    /// The resources of `coordination.k8s.io/v1`.
    #[cfg(feature = "coordination")]
    #[inline]
    pub fn coordination_v1(&self) -> CoordinationV1 {
        CoordinationV1::new(&self.rest)
    }

    /// The resources of `coordination.k8s.io/v1alpha2`.
    #[cfg(feature = "coordination")]
    #[inline]
    pub fn coordination_v1alpha2(&self) -> CoordinationV1alpha2 {
        CoordinationV1alpha2::new(&self.rest)
    }

    /// The resources of `coordination.k8s.io/v1beta1`.
    #[cfg(feature = "coordination")]
    #[inline]
    pub fn coordination_v1beta1(&self) -> CoordinationV1beta1 {
        CoordinationV1beta1::new(&self.rest)
    }

    /// The resources of `discovery.k8s.io/v1`.
    #[cfg(feature = "discovery")]
    #[inline]
    pub fn discovery_v1(&self) -> DiscoveryV1 {
        DiscoveryV1::new(&self.rest)
    }

    /// The resources of `discovery.k8s.io/v1beta1`.
    #[cfg(feature = "discovery")]
    #[inline]
    pub fn discovery_v1beta1(&self) -> DiscoveryV1beta1 {
        DiscoveryV1beta1::new(&self.rest)
    }

    /// The resources of `events.k8s.io/v1`.
    #[cfg(feature = "events")]
    #[inline]
    pub fn events_v1(&self) -> EventsV1 {
        EventsV1::new(&self.rest)
    }

    /// The resources of `events.k8s.io/v1beta1`.
    #[cfg(feature = "events")]
    #[inline]
    pub fn events_v1beta1(&self) -> EventsV1beta1 {
        EventsV1beta1::new(&self.rest)
    }

    /// The resources of `extensions/v1beta1`.
    #[cfg(feature = "extensions")]
    #[inline]
    pub fn extensions_v1beta1(&self) -> ExtensionsV1beta1 {
        ExtensionsV1beta1::new(&self.rest)
    }

    /// The resources of `flowcontrol.apiserver.k8s.io/v1`.
    #[cfg(feature = "flowcontrol")]
    #[inline]
    pub fn flowcontrol_v1(&self) -> FlowcontrolV1 {
        FlowcontrolV1::new(&self.rest)
    }

    /// The resources of `flowcontrol.apiserver.k8s.io/v1beta1`.
    #[cfg(feature = "flowcontrol")]
    #[inline]
    pub fn flowcontrol_v1beta1(&self) -> FlowcontrolV1beta1 {
        FlowcontrolV1beta1::new(&self.rest)
    }

    /// The resources of `flowcontrol.apiserver.k8s.io/v1beta2`.
    #[cfg(feature = "flowcontrol")]
    #[inline]
    pub fn flowcontrol_v1beta2(&self) -> FlowcontrolV1beta2 {
        FlowcontrolV1beta2::new(&self.rest)
    }

    /// The resources of `flowcontrol.apiserver.k8s.io/v1beta3`.
    #[cfg(feature = "flowcontrol")]
    #[inline]
    pub fn flowcontrol_v1beta3(&self) -> FlowcontrolV1beta3 {
        FlowcontrolV1beta3::new(&self.rest)
    }

    /// The resources of `internal.apiserver.k8s.io/v1alpha1`.
    #[cfg(feature = "apiserverinternal")]
    #[inline]
    pub fn internal_v1alpha1(&self) -> InternalV1alpha1 {
        InternalV1alpha1::new(&self.rest)
    }

    /// The resources of `lifecycle.k8s.io/v1alpha1`.
    #[cfg(feature = "lifecycle")]
    #[inline]
    pub fn lifecycle_v1alpha1(&self) -> LifecycleV1alpha1 {
        LifecycleV1alpha1::new(&self.rest)
    }

    /// The resources of `metrics.k8s.io/v1`.
    #[cfg(feature = "metrics")]
    #[inline]
    pub fn metrics_v1(&self) -> MetricsV1 {
        MetricsV1::new(&self.rest)
    }

    /// The resources of `metrics.k8s.io/v1alpha1`.
    #[cfg(feature = "metrics")]
    #[inline]
    pub fn metrics_v1alpha1(&self) -> MetricsV1alpha1 {
        MetricsV1alpha1::new(&self.rest)
    }

    /// The resources of `metrics.k8s.io/v1beta1`.
    #[cfg(feature = "metrics")]
    #[inline]
    pub fn metrics_v1beta1(&self) -> MetricsV1beta1 {
        MetricsV1beta1::new(&self.rest)
    }

    /// The resources of `networking.k8s.io/v1`.
    #[cfg(feature = "networking")]
    #[inline]
    pub fn networking_v1(&self) -> NetworkingV1 {
        NetworkingV1::new(&self.rest)
    }

    /// The resources of `networking.k8s.io/v1beta1`.
    #[cfg(feature = "networking")]
    #[inline]
    pub fn networking_v1beta1(&self) -> NetworkingV1beta1 {
        NetworkingV1beta1::new(&self.rest)
    }

    /// The resources of `node.k8s.io/v1`.
    #[cfg(feature = "node")]
    #[inline]
    pub fn node_v1(&self) -> NodeV1 {
        NodeV1::new(&self.rest)
    }

    /// The resources of `node.k8s.io/v1alpha1`.
    #[cfg(feature = "node")]
    #[inline]
    pub fn node_v1alpha1(&self) -> NodeV1alpha1 {
        NodeV1alpha1::new(&self.rest)
    }

    /// The resources of `node.k8s.io/v1beta1`.
    #[cfg(feature = "node")]
    #[inline]
    pub fn node_v1beta1(&self) -> NodeV1beta1 {
        NodeV1beta1::new(&self.rest)
    }

    /// The resources of `policy/v1`.
    #[cfg(feature = "policy")]
    #[inline]
    pub fn policy_v1(&self) -> PolicyV1 {
        PolicyV1::new(&self.rest)
    }

    /// The resources of `policy/v1beta1`.
    #[cfg(feature = "policy")]
    #[inline]
    pub fn policy_v1beta1(&self) -> PolicyV1beta1 {
        PolicyV1beta1::new(&self.rest)
    }

    /// The resources of `rbac.authorization.k8s.io/v1`.
    #[cfg(feature = "rbac")]
    #[inline]
    pub fn rbac_v1(&self) -> RbacV1 {
        RbacV1::new(&self.rest)
    }

    /// The resources of `rbac.authorization.k8s.io/v1alpha1`.
    #[cfg(feature = "rbac")]
    #[inline]
    pub fn rbac_v1alpha1(&self) -> RbacV1alpha1 {
        RbacV1alpha1::new(&self.rest)
    }

    /// The resources of `rbac.authorization.k8s.io/v1beta1`.
    #[cfg(feature = "rbac")]
    #[inline]
    pub fn rbac_v1beta1(&self) -> RbacV1beta1 {
        RbacV1beta1::new(&self.rest)
    }

    /// The resources of `resource.k8s.io/v1`.
    #[cfg(feature = "resource")]
    #[inline]
    pub fn resource_v1(&self) -> ResourceV1 {
        ResourceV1::new(&self.rest)
    }

    /// The resources of `resource.k8s.io/v1alpha3`.
    #[cfg(feature = "resource")]
    #[inline]
    pub fn resource_v1alpha3(&self) -> ResourceV1alpha3 {
        ResourceV1alpha3::new(&self.rest)
    }

    /// The resources of `resource.k8s.io/v1beta1`.
    #[cfg(feature = "resource")]
    #[inline]
    pub fn resource_v1beta1(&self) -> ResourceV1beta1 {
        ResourceV1beta1::new(&self.rest)
    }

    /// The resources of `resource.k8s.io/v1beta2`.
    #[cfg(feature = "resource")]
    #[inline]
    pub fn resource_v1beta2(&self) -> ResourceV1beta2 {
        ResourceV1beta2::new(&self.rest)
    }

    /// The resources of `scheduling.k8s.io/v1`.
    #[cfg(feature = "scheduling")]
    #[inline]
    pub fn scheduling_v1(&self) -> SchedulingV1 {
        SchedulingV1::new(&self.rest)
    }

    /// The resources of `scheduling.k8s.io/v1alpha3`.
    #[cfg(feature = "scheduling")]
    #[inline]
    pub fn scheduling_v1alpha3(&self) -> SchedulingV1alpha3 {
        SchedulingV1alpha3::new(&self.rest)
    }

    /// The resources of `scheduling.k8s.io/v1beta1`.
    #[cfg(feature = "scheduling")]
    #[inline]
    pub fn scheduling_v1beta1(&self) -> SchedulingV1beta1 {
        SchedulingV1beta1::new(&self.rest)
    }

    /// The resources of `storage.k8s.io/v1`.
    #[cfg(feature = "storage")]
    #[inline]
    pub fn storage_v1(&self) -> StorageV1 {
        StorageV1::new(&self.rest)
    }

    /// The resources of `storage.k8s.io/v1alpha1`.
    #[cfg(feature = "storage")]
    #[inline]
    pub fn storage_v1alpha1(&self) -> StorageV1alpha1 {
        StorageV1alpha1::new(&self.rest)
    }

    /// The resources of `storage.k8s.io/v1beta1`.
    #[cfg(feature = "storage")]
    #[inline]
    pub fn storage_v1beta1(&self) -> StorageV1beta1 {
        StorageV1beta1::new(&self.rest)
    }

    /// The resources of `storagemigration.k8s.io/v1`.
    #[cfg(feature = "storagemigration")]
    #[inline]
    pub fn storagemigration_v1(&self) -> StoragemigrationV1 {
        StoragemigrationV1::new(&self.rest)
    }

    /// The resources of `storagemigration.k8s.io/v1beta1`.
    #[cfg(feature = "storagemigration")]
    #[inline]
    pub fn storagemigration_v1beta1(&self) -> StoragemigrationV1beta1 {
        StoragemigrationV1beta1::new(&self.rest)
    }
}
