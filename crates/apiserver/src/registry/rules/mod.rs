//! The rules of single kinds, in the real server's words.
//!
//! Kinds that are not here follow the rules that all objects have and those of their type, and no others. What the real
//! server says to good and bad objects of each kind is recorded in `tests/api/validation_corpus.json`.

mod access;
mod aggregation;
mod autoscaling;
mod batch;
mod common;
mod core;
mod cron;
mod events;
mod network;
mod pods;
mod scheduling;
mod services;
mod storage;
mod volumes;
mod webhooks;
mod workloads;

use client_rs_machinery::{FieldError, Unstructured};

use super::catalog::Served;
use client_rs_schema::definition;
use common::{at, immutable};

/// What is wrong with an object that is to be written.
pub(super) fn check(served: &Served, object: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let spec = at(object, "spec");
    if let Some(custom) = &served.custom {
        return custom.check(object, None);
    }
    match served.at() {
        ("apiextensions.k8s.io", "customresourcedefinitions") => return definition::check(object, None),
        ("", "pods") => pods::spec(spec, "spec", &mut errors),
        ("", "namespaces") => core::namespace(spec, &mut errors),
        ("", "nodes") => core::node(spec, &mut errors),
        ("", "configmaps") => core::config_map(object, &mut errors),
        ("", "secrets") => core::secret(object, &mut errors),
        ("", "limitranges") => core::limit_range(spec, &mut errors),
        ("", "resourcequotas") => core::resource_quota(spec, &mut errors),
        ("", "services") => services::service(spec, &mut errors),
        ("", "endpoints") => services::endpoints(object, &mut errors),
        ("discovery.k8s.io", "endpointslices") => services::endpoint_slice(object, &mut errors),
        ("", "events") => events::any(object, "reportingComponent", &mut errors),
        ("events.k8s.io", "events") => events::any(object, "reportingController", &mut errors),
        ("", "persistentvolumes") => storage::volume(spec, &mut errors),
        ("", "persistentvolumeclaims") => storage::claim(spec, "spec", &mut errors),
        ("storage.k8s.io", "storageclasses") => storage::class(object, &mut errors),
        ("apps", "deployments" | "replicasets" | "statefulsets" | "daemonsets") => {
            workloads::check(&served.info.plural, spec, &mut errors);
        }
        ("batch", "jobs") => batch::job(object, &mut errors),
        ("batch", "cronjobs") => batch::cron_job(object, &mut errors),
        ("networking.k8s.io", "ingresses") => network::ingress(spec, &mut errors),
        ("networking.k8s.io", "networkpolicies") => network::policy(spec, &mut errors),
        ("policy", "poddisruptionbudgets") => scheduling::disruption_budget(spec, &mut errors),
        ("autoscaling", "horizontalpodautoscalers") => autoscaling::autoscaler(spec, &mut errors),
        ("rbac.authorization.k8s.io", "roles" | "clusterroles") => {
            access::role(object, served.info.namespaced, &mut errors);
        }
        ("rbac.authorization.k8s.io", _) => access::binding(object, served.info.namespaced, &mut errors),
        (
            "admissionregistration.k8s.io",
            "validatingwebhookconfigurations" | "mutatingwebhookconfigurations",
        ) => webhooks::configuration(object, &mut errors),
        ("apiregistration.k8s.io", "apiservices") => aggregation::api_service(object, &mut errors),
        ("coordination.k8s.io", "leases") => scheduling::lease(spec, &mut errors),
        ("scheduling.k8s.io", "priorityclasses") => scheduling::priority_class(object, &mut errors),
        _ => {}
    }
    errors
}

/// What is wrong with an object that is to be created and would be let pass later.
pub(super) fn check_create(served: &Served, object: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    match served.at() {
        ("events.k8s.io", "events") => events::create(object, &mut errors),
        ("batch", "jobs") => batch::job_create(object, &mut errors),
        _ => {}
    }
    errors
}

/// What is wrong with a change of an object.
pub(super) fn check_update(served: &Served, new: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    match served.at() {
        ("apps", "deployments" | "replicasets" | "daemonsets") => {
            immutable(&["spec", "selector"], new, old, &mut errors);
        }
        ("apps", "statefulsets") => {
            for field in ["serviceName", "podManagementPolicy", "selector", "volumeClaimTemplates"] {
                immutable(&["spec", field], new, old, &mut errors);
            }
        }
        ("", "secrets") => {
            immutable(&["type"], new, old, &mut errors);
            core::frozen(new, old, &["data"], &mut errors);
        }
        ("", "configmaps") => core::frozen(new, old, &["data", "binaryData"], &mut errors),
        ("", "pods") => pods::update(new, old, &mut errors),
        ("", "resourcequotas") => immutable(&["spec", "scopes"], new, old, &mut errors),
        ("", "nodes") => core::node_update(new, old, &mut errors),
        ("", "services") => services::update(new, old, &mut errors),
        ("", "persistentvolumes") => storage::volume_update(new, old, &mut errors),
        ("", "persistentvolumeclaims") => storage::claim_update(new, old, &mut errors),
        ("storage.k8s.io", "storageclasses") => storage::class_update(new, old, &mut errors),
        ("discovery.k8s.io", "endpointslices") => services::slice_update(new, old, &mut errors),
        ("events.k8s.io", "events") => events::update(new, old, &mut errors),
        ("batch", "jobs") => batch::job_update(new, old, &mut errors),
        ("rbac.authorization.k8s.io", "rolebindings" | "clusterrolebindings") => {
            access::binding_update(new, old, &mut errors);
        }
        ("scheduling.k8s.io", "priorityclasses") => scheduling::priority_class_update(new, old, &mut errors),
        _ => {}
    }
    errors
}
