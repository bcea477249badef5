// Made by `cargo xtask codegen` from schema: change those, not this.
//! Kinds by name.

use client_rs_machinery::{Kind, Scheme};

/// Every kind of the features that are on, with those of `meta/v1`.
#[inline(never)]
pub fn scheme() -> Scheme {
    Scheme::new([
        #[cfg(feature = "admission")]
        Kind::of::<crate::admission::v1::AdmissionReview>(),
        #[cfg(feature = "admission")]
        Kind::of::<crate::admission::v1beta1::AdmissionReview>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::MutatingAdmissionPolicy>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::MutatingAdmissionPolicyBinding>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::MutatingAdmissionPolicyBindingList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::MutatingAdmissionPolicyList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::MutatingWebhookConfiguration>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::MutatingWebhookConfigurationList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::ValidatingAdmissionPolicy>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::ValidatingAdmissionPolicyBinding>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::ValidatingAdmissionPolicyBindingList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::ValidatingAdmissionPolicyList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::ValidatingWebhookConfiguration>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1::ValidatingWebhookConfigurationList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::MutatingAdmissionPolicy>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::MutatingAdmissionPolicyBinding>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::MutatingAdmissionPolicyBindingList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::MutatingAdmissionPolicyList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::ValidatingAdmissionPolicy>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::ValidatingAdmissionPolicyBinding>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::ValidatingAdmissionPolicyBindingList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1alpha1::ValidatingAdmissionPolicyList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::MutatingAdmissionPolicy>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::MutatingAdmissionPolicyBinding>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::MutatingAdmissionPolicyBindingList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::MutatingAdmissionPolicyList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::MutatingWebhookConfiguration>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::MutatingWebhookConfigurationList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::ValidatingAdmissionPolicy>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::ValidatingAdmissionPolicyBinding>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::ValidatingAdmissionPolicyBindingList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::ValidatingAdmissionPolicyList>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::ValidatingWebhookConfiguration>(),
        #[cfg(feature = "admissionregistration")]
        Kind::of::<crate::admissionregistration::v1beta1::ValidatingWebhookConfigurationList>(),
        #[cfg(feature = "apidiscovery")]
        Kind::of::<crate::apidiscovery::v2::APIGroupDiscovery>(),
        #[cfg(feature = "apidiscovery")]
        Kind::of::<crate::apidiscovery::v2::APIGroupDiscoveryList>(),
        #[cfg(feature = "apidiscovery")]
        Kind::of::<crate::apidiscovery::v2beta1::APIGroupDiscovery>(),
        #[cfg(feature = "apidiscovery")]
        Kind::of::<crate::apidiscovery::v2beta1::APIGroupDiscoveryList>(),
        #[cfg(feature = "apiserverinternal")]
        Kind::of::<crate::apiserverinternal::v1alpha1::StorageVersion>(),
        #[cfg(feature = "apiserverinternal")]
        Kind::of::<crate::apiserverinternal::v1alpha1::StorageVersionList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::ControllerRevision>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::ControllerRevisionList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::DaemonSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::DaemonSetList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::Deployment>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::DeploymentList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::ReplicaSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::ReplicaSetList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::StatefulSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1::StatefulSetList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::ControllerRevision>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::ControllerRevisionList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::Deployment>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::DeploymentList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::DeploymentRollback>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::Scale>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::StatefulSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta1::StatefulSetList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::ControllerRevision>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::ControllerRevisionList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::DaemonSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::DaemonSetList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::Deployment>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::DeploymentList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::ReplicaSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::ReplicaSetList>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::Scale>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::StatefulSet>(),
        #[cfg(feature = "apps")]
        Kind::of::<crate::apps::v1beta2::StatefulSetList>(),
        #[cfg(feature = "authentication")]
        Kind::of::<crate::authentication::v1::SelfSubjectReview>(),
        #[cfg(feature = "authentication")]
        Kind::of::<crate::authentication::v1::TokenRequest>(),
        #[cfg(feature = "authentication")]
        Kind::of::<crate::authentication::v1::TokenReview>(),
        #[cfg(feature = "authentication")]
        Kind::of::<crate::authentication::v1alpha1::SelfSubjectReview>(),
        #[cfg(feature = "authentication")]
        Kind::of::<crate::authentication::v1beta1::SelfSubjectReview>(),
        #[cfg(feature = "authentication")]
        Kind::of::<crate::authentication::v1beta1::TokenReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1::LocalSubjectAccessReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1::SelfSubjectAccessReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1::SelfSubjectRulesReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1::SubjectAccessReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1beta1::LocalSubjectAccessReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1beta1::SelfSubjectAccessReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1beta1::SelfSubjectRulesReview>(),
        #[cfg(feature = "authorization")]
        Kind::of::<crate::authorization::v1beta1::SubjectAccessReview>(),
        #[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
        Kind::of::<crate::autoscaling::v1::HorizontalPodAutoscaler>(),
        #[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
        Kind::of::<crate::autoscaling::v1::HorizontalPodAutoscalerList>(),
        #[cfg(feature = "autoscaling-scale")]
        Kind::of::<crate::autoscaling::v1::Scale>(),
        #[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
        Kind::of::<crate::autoscaling::v2::HorizontalPodAutoscaler>(),
        #[cfg(feature = "autoscaling-horizontal-pod-autoscaler")]
        Kind::of::<crate::autoscaling::v2::HorizontalPodAutoscalerList>(),
        #[cfg(feature = "batch")]
        Kind::of::<crate::batch::v1::CronJob>(),
        #[cfg(feature = "batch")]
        Kind::of::<crate::batch::v1::CronJobList>(),
        #[cfg(feature = "batch")]
        Kind::of::<crate::batch::v1::Job>(),
        #[cfg(feature = "batch")]
        Kind::of::<crate::batch::v1::JobList>(),
        #[cfg(feature = "batch")]
        Kind::of::<crate::batch::v1beta1::CronJob>(),
        #[cfg(feature = "batch")]
        Kind::of::<crate::batch::v1beta1::CronJobList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1::CertificateSigningRequest>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1::CertificateSigningRequestList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1::ClusterTrustBundle>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1::ClusterTrustBundleList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1::PodCertificateRequest>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1::PodCertificateRequestList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1alpha1::ClusterTrustBundle>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1alpha1::ClusterTrustBundleList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1beta1::CertificateSigningRequest>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1beta1::CertificateSigningRequestList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1beta1::ClusterTrustBundle>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1beta1::ClusterTrustBundleList>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1beta1::PodCertificateRequest>(),
        #[cfg(feature = "certificates")]
        Kind::of::<crate::certificates::v1beta1::PodCertificateRequestList>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1::Lease>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1::LeaseList>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1alpha2::LeaseCandidate>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1alpha2::LeaseCandidateList>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1beta1::Lease>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1beta1::LeaseCandidate>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1beta1::LeaseCandidateList>(),
        #[cfg(feature = "coordination")]
        Kind::of::<crate::coordination::v1beta1::LeaseList>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::Binding>(),
        #[cfg(feature = "core-component-status")]
        Kind::of::<crate::core::v1::ComponentStatus>(),
        #[cfg(feature = "core-component-status")]
        Kind::of::<crate::core::v1::ComponentStatusList>(),
        #[cfg(feature = "core-config-map")]
        Kind::of::<crate::core::v1::ConfigMap>(),
        #[cfg(feature = "core-config-map")]
        Kind::of::<crate::core::v1::ConfigMapList>(),
        #[cfg(feature = "core-endpoints")]
        Kind::of::<crate::core::v1::Endpoints>(),
        #[cfg(feature = "core-endpoints")]
        Kind::of::<crate::core::v1::EndpointsList>(),
        #[cfg(feature = "core-event")]
        Kind::of::<crate::core::v1::Event>(),
        #[cfg(feature = "core-event")]
        Kind::of::<crate::core::v1::EventList>(),
        #[cfg(feature = "core-limit-range")]
        Kind::of::<crate::core::v1::LimitRange>(),
        #[cfg(feature = "core-limit-range")]
        Kind::of::<crate::core::v1::LimitRangeList>(),
        #[cfg(feature = "core")]
        Kind::of::<crate::core::v1::List>(),
        #[cfg(feature = "core-namespace")]
        Kind::of::<crate::core::v1::Namespace>(),
        #[cfg(feature = "core-namespace")]
        Kind::of::<crate::core::v1::NamespaceList>(),
        #[cfg(feature = "core-node")]
        Kind::of::<crate::core::v1::Node>(),
        #[cfg(feature = "core-node")]
        Kind::of::<crate::core::v1::NodeList>(),
        #[cfg(feature = "core-node")]
        Kind::of::<crate::core::v1::NodeProxyOptions>(),
        #[cfg(feature = "core-persistent-volume")]
        Kind::of::<crate::core::v1::PersistentVolume>(),
        #[cfg(feature = "core-persistent-volume-claim")]
        Kind::of::<crate::core::v1::PersistentVolumeClaim>(),
        #[cfg(feature = "core-persistent-volume-claim")]
        Kind::of::<crate::core::v1::PersistentVolumeClaimList>(),
        #[cfg(feature = "core-persistent-volume")]
        Kind::of::<crate::core::v1::PersistentVolumeList>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::Pod>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::PodAttachOptions>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::PodExecOptions>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::PodList>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::PodLogOptions>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::PodPortForwardOptions>(),
        #[cfg(feature = "core-pod")]
        Kind::of::<crate::core::v1::PodProxyOptions>(),
        #[cfg(feature = "core-pod-template")]
        Kind::of::<crate::core::v1::PodTemplate>(),
        #[cfg(feature = "core-pod-template")]
        Kind::of::<crate::core::v1::PodTemplateList>(),
        #[cfg(feature = "core")]
        Kind::of::<crate::core::v1::RangeAllocation>(),
        #[cfg(feature = "core-replication-controller")]
        Kind::of::<crate::core::v1::ReplicationController>(),
        #[cfg(feature = "core-replication-controller")]
        Kind::of::<crate::core::v1::ReplicationControllerList>(),
        #[cfg(feature = "core-resource-quota")]
        Kind::of::<crate::core::v1::ResourceQuota>(),
        #[cfg(feature = "core-resource-quota")]
        Kind::of::<crate::core::v1::ResourceQuotaList>(),
        #[cfg(feature = "core-secret")]
        Kind::of::<crate::core::v1::Secret>(),
        #[cfg(feature = "core-secret")]
        Kind::of::<crate::core::v1::SecretList>(),
        #[cfg(feature = "core")]
        Kind::of::<crate::core::v1::SerializedReference>(),
        #[cfg(feature = "core-service")]
        Kind::of::<crate::core::v1::Service>(),
        #[cfg(feature = "core-service-account")]
        Kind::of::<crate::core::v1::ServiceAccount>(),
        #[cfg(feature = "core-service-account")]
        Kind::of::<crate::core::v1::ServiceAccountList>(),
        #[cfg(feature = "core-service")]
        Kind::of::<crate::core::v1::ServiceList>(),
        #[cfg(feature = "core-service")]
        Kind::of::<crate::core::v1::ServiceProxyOptions>(),
        #[cfg(feature = "discovery")]
        Kind::of::<crate::discovery::v1::EndpointSlice>(),
        #[cfg(feature = "discovery")]
        Kind::of::<crate::discovery::v1::EndpointSliceList>(),
        #[cfg(feature = "discovery")]
        Kind::of::<crate::discovery::v1beta1::EndpointSlice>(),
        #[cfg(feature = "discovery")]
        Kind::of::<crate::discovery::v1beta1::EndpointSliceList>(),
        #[cfg(feature = "events")]
        Kind::of::<crate::events::v1::Event>(),
        #[cfg(feature = "events")]
        Kind::of::<crate::events::v1::EventList>(),
        #[cfg(feature = "events")]
        Kind::of::<crate::events::v1beta1::Event>(),
        #[cfg(feature = "events")]
        Kind::of::<crate::events::v1beta1::EventList>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::DaemonSet>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::DaemonSetList>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::Deployment>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::DeploymentList>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::DeploymentRollback>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::Ingress>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::IngressList>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::NetworkPolicy>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::NetworkPolicyList>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::ReplicaSet>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::ReplicaSetList>(),
        #[cfg(feature = "extensions")]
        Kind::of::<crate::extensions::v1beta1::Scale>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1::FlowSchema>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1::FlowSchemaList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1::PriorityLevelConfiguration>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1::PriorityLevelConfigurationList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta1::FlowSchema>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta1::FlowSchemaList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta1::PriorityLevelConfiguration>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta1::PriorityLevelConfigurationList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta2::FlowSchema>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta2::FlowSchemaList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta2::PriorityLevelConfiguration>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta2::PriorityLevelConfigurationList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta3::FlowSchema>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta3::FlowSchemaList>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta3::PriorityLevelConfiguration>(),
        #[cfg(feature = "flowcontrol")]
        Kind::of::<crate::flowcontrol::v1beta3::PriorityLevelConfigurationList>(),
        #[cfg(feature = "imagepolicy")]
        Kind::of::<crate::imagepolicy::v1alpha1::ImageReview>(),
        #[cfg(feature = "lifecycle")]
        Kind::of::<crate::lifecycle::v1alpha1::Eviction>(),
        #[cfg(feature = "lifecycle")]
        Kind::of::<crate::lifecycle::v1alpha1::EvictionList>(),
        #[cfg(feature = "lifecycle")]
        Kind::of::<crate::lifecycle::v1alpha1::EvictionRequest>(),
        #[cfg(feature = "lifecycle")]
        Kind::of::<crate::lifecycle::v1alpha1::EvictionRequestList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::IPAddress>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::IPAddressList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::Ingress>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::IngressClass>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::IngressClassList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::IngressList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::NetworkPolicy>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::NetworkPolicyList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::ServiceCIDR>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1::ServiceCIDRList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::IPAddress>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::IPAddressList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::Ingress>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::IngressClass>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::IngressClassList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::IngressList>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::ServiceCIDR>(),
        #[cfg(feature = "networking")]
        Kind::of::<crate::networking::v1beta1::ServiceCIDRList>(),
        #[cfg(feature = "node")]
        Kind::of::<crate::node::v1::RuntimeClass>(),
        #[cfg(feature = "node")]
        Kind::of::<crate::node::v1::RuntimeClassList>(),
        #[cfg(feature = "node")]
        Kind::of::<crate::node::v1alpha1::RuntimeClass>(),
        #[cfg(feature = "node")]
        Kind::of::<crate::node::v1alpha1::RuntimeClassList>(),
        #[cfg(feature = "node")]
        Kind::of::<crate::node::v1beta1::RuntimeClass>(),
        #[cfg(feature = "node")]
        Kind::of::<crate::node::v1beta1::RuntimeClassList>(),
        #[cfg(feature = "policy")]
        Kind::of::<crate::policy::v1::Eviction>(),
        #[cfg(feature = "policy")]
        Kind::of::<crate::policy::v1::PodDisruptionBudget>(),
        #[cfg(feature = "policy")]
        Kind::of::<crate::policy::v1::PodDisruptionBudgetList>(),
        #[cfg(feature = "policy")]
        Kind::of::<crate::policy::v1beta1::Eviction>(),
        #[cfg(feature = "policy")]
        Kind::of::<crate::policy::v1beta1::PodDisruptionBudget>(),
        #[cfg(feature = "policy")]
        Kind::of::<crate::policy::v1beta1::PodDisruptionBudgetList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::ClusterRole>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::ClusterRoleBinding>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::ClusterRoleBindingList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::ClusterRoleList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::Role>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::RoleBinding>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::RoleBindingList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1::RoleList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::ClusterRole>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::ClusterRoleBinding>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::ClusterRoleBindingList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::ClusterRoleList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::Role>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::RoleBinding>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::RoleBindingList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1alpha1::RoleList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::ClusterRole>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::ClusterRoleBinding>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::ClusterRoleBindingList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::ClusterRoleList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::Role>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::RoleBinding>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::RoleBindingList>(),
        #[cfg(feature = "rbac")]
        Kind::of::<crate::rbac::v1beta1::RoleList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::DeviceClass>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::DeviceClassList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::DeviceTaintRule>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::DeviceTaintRuleList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::ResourceClaim>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::ResourceClaimList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::ResourceClaimTemplate>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::ResourceClaimTemplateList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::ResourceSlice>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1::ResourceSliceList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1alpha3::DeviceTaintRule>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1alpha3::DeviceTaintRuleList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1alpha3::ResourcePoolStatusRequest>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1alpha3::ResourcePoolStatusRequestList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::DeviceClass>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::DeviceClassList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::ResourceClaim>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::ResourceClaimList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::ResourceClaimTemplate>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::ResourceClaimTemplateList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::ResourceSlice>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta1::ResourceSliceList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::DeviceClass>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::DeviceClassList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::DeviceTaintRule>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::DeviceTaintRuleList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::ResourceClaim>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::ResourceClaimList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::ResourceClaimTemplate>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::ResourceClaimTemplateList>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::ResourceSlice>(),
        #[cfg(feature = "resource")]
        Kind::of::<crate::resource::v1beta2::ResourceSliceList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1::PriorityClass>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1::PriorityClassList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1alpha3::CompositePodGroup>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1alpha3::CompositePodGroupList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1alpha3::PodGroup>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1alpha3::PodGroupList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1alpha3::Workload>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1alpha3::WorkloadList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1beta1::PodGroup>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1beta1::PodGroupList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1beta1::PriorityClass>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1beta1::PriorityClassList>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1beta1::Workload>(),
        #[cfg(feature = "scheduling")]
        Kind::of::<crate::scheduling::v1beta1::WorkloadList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::CSIDriver>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::CSIDriverList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::CSINode>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::CSINodeList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::CSIStorageCapacity>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::CSIStorageCapacityList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::StorageClass>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::StorageClassList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::VolumeAttachment>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::VolumeAttachmentList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::VolumeAttributesClass>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1::VolumeAttributesClassList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1alpha1::CSIStorageCapacity>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1alpha1::CSIStorageCapacityList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1alpha1::VolumeAttachment>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1alpha1::VolumeAttachmentList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1alpha1::VolumeAttributesClass>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1alpha1::VolumeAttributesClassList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::CSIDriver>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::CSIDriverList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::CSINode>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::CSINodeList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::CSIStorageCapacity>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::CSIStorageCapacityList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::StorageClass>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::StorageClassList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::VolumeAttachment>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::VolumeAttachmentList>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::VolumeAttributesClass>(),
        #[cfg(feature = "storage")]
        Kind::of::<crate::storage::v1beta1::VolumeAttributesClassList>(),
        #[cfg(feature = "storagemigration")]
        Kind::of::<crate::storagemigration::v1::StorageVersionMigration>(),
        #[cfg(feature = "storagemigration")]
        Kind::of::<crate::storagemigration::v1::StorageVersionMigrationList>(),
        #[cfg(feature = "storagemigration")]
        Kind::of::<crate::storagemigration::v1beta1::StorageVersionMigration>(),
        #[cfg(feature = "storagemigration")]
        Kind::of::<crate::storagemigration::v1beta1::StorageVersionMigrationList>(),
        #[cfg(feature = "apiextensions")]
        Kind::of::<crate::apiextensions::v1::ConversionReview>(),
        #[cfg(feature = "apiextensions")]
        Kind::of::<crate::apiextensions::v1::CustomResourceDefinition>(),
        #[cfg(feature = "apiextensions")]
        Kind::of::<crate::apiextensions::v1::CustomResourceDefinitionList>(),
        #[cfg(feature = "apiextensions")]
        Kind::of::<crate::apiextensions::v1beta1::ConversionReview>(),
        #[cfg(feature = "apiextensions")]
        Kind::of::<crate::apiextensions::v1beta1::CustomResourceDefinition>(),
        #[cfg(feature = "apiextensions")]
        Kind::of::<crate::apiextensions::v1beta1::CustomResourceDefinitionList>(),
        Kind::of::<client_rs_machinery::meta::v1::APIGroup>(),
        Kind::of::<client_rs_machinery::meta::v1::APIGroupList>(),
        Kind::of::<client_rs_machinery::meta::v1::APIResourceList>(),
        Kind::of::<client_rs_machinery::meta::v1::APIVersions>(),
        Kind::of::<client_rs_machinery::meta::v1::CreateOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::DeleteOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::GetOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::ListOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::PartialObjectMetadata>(),
        Kind::of::<client_rs_machinery::meta::v1::PartialObjectMetadataList>(),
        Kind::of::<client_rs_machinery::meta::v1::PatchOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::Status>(),
        Kind::of::<client_rs_machinery::meta::v1::Table>(),
        Kind::of::<client_rs_machinery::meta::v1::TableOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::UpdateOptions>(),
        Kind::of::<client_rs_machinery::meta::v1::WatchEvent>(),
        Kind::of::<client_rs_machinery::meta::v1beta1::PartialObjectMetadataList>(),
        #[cfg(feature = "apiregistration")]
        Kind::of::<crate::apiregistration::v1::APIService>(),
        #[cfg(feature = "apiregistration")]
        Kind::of::<crate::apiregistration::v1::APIServiceList>(),
        #[cfg(feature = "apiregistration")]
        Kind::of::<crate::apiregistration::v1beta1::APIService>(),
        #[cfg(feature = "apiregistration")]
        Kind::of::<crate::apiregistration::v1beta1::APIServiceList>(),
        #[cfg(feature = "custom-metrics")]
        Kind::of::<crate::custom_metrics::v1beta1::MetricListOptions>(),
        #[cfg(feature = "custom-metrics")]
        Kind::of::<crate::custom_metrics::v1beta1::MetricValue>(),
        #[cfg(feature = "custom-metrics")]
        Kind::of::<crate::custom_metrics::v1beta1::MetricValueList>(),
        #[cfg(feature = "custom-metrics")]
        Kind::of::<crate::custom_metrics::v1beta2::MetricListOptions>(),
        #[cfg(feature = "custom-metrics")]
        Kind::of::<crate::custom_metrics::v1beta2::MetricValue>(),
        #[cfg(feature = "custom-metrics")]
        Kind::of::<crate::custom_metrics::v1beta2::MetricValueList>(),
        #[cfg(feature = "external-metrics")]
        Kind::of::<crate::external_metrics::v1beta1::ExternalMetricValue>(),
        #[cfg(feature = "external-metrics")]
        Kind::of::<crate::external_metrics::v1beta1::ExternalMetricValueList>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1::NodeMetrics>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1::NodeMetricsList>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1::PodMetrics>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1::PodMetricsList>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1alpha1::NodeMetrics>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1alpha1::NodeMetricsList>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1alpha1::PodMetrics>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1alpha1::PodMetricsList>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1beta1::NodeMetrics>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1beta1::NodeMetricsList>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1beta1::PodMetrics>(),
        #[cfg(feature = "metrics")]
        Kind::of::<crate::metrics::v1beta1::PodMetricsList>(),
    ])
}
