//! The objects that a real API server creates for itself when it starts, except roles, flows and its service.

use client_rs_machinery::{Json, Unstructured, json};

use super::{put, service_addresses};
use crate::access::Authority;
use crate::registry::{Catalog, Registry, new_uid};
use client_rs_machinery::meta::v1::DeleteOptions;

/// The priorities of built-in groups in discovery. Others have that of custom groups.
const PRIORITIES: &[(&str, i64)] = &[
    ("", 18_000),
    ("apps", 17_800),
    ("events.k8s.io", 17_750),
    ("authentication.k8s.io", 17_700),
    ("authorization.k8s.io", 17_600),
    ("autoscaling", 17_500),
    ("batch", 17_400),
    ("certificates.k8s.io", 17_300),
    ("networking.k8s.io", 17_200),
    ("policy", 17_100),
    ("rbac.authorization.k8s.io", 17_000),
    ("storage.k8s.io", 16_800),
    ("apiextensions.k8s.io", 16_700),
    ("admissionregistration.k8s.io", 16_700),
    ("scheduling.k8s.io", 16_600),
    ("coordination.k8s.io", 16_500),
    ("node.k8s.io", 16_300),
    ("discovery.k8s.io", 16_200),
    ("resource.k8s.io", 16_200),
    ("flowcontrol.apiserver.k8s.io", 16_100),
    ("storagemigration.k8s.io", 15_800),
];

/// The group of `APIService` objects. The aggregator serves it by itself, so it has no such object.
const REGISTRATION: &str = "apiregistration.k8s.io";

/// Creates the objects.
pub(crate) fn create(registry: &Registry, authority: &Authority) {
    service_addresses::create_range(registry);
    for (group, version) in versions(&registry.catalog()) {
        add_api_service(registry, &group, &version, "onstart");
    }
    config_maps(registry, authority);
    lease(registry);
}

/// The versions of all groups, without the one of `APIService` itself.
fn versions(catalog: &Catalog) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = catalog
        .all()
        .iter()
        .map(|served| (served.info.group.to_string(), served.info.version.to_string()))
        .collect();
    all.retain(|(group, _)| group != REGISTRATION);
    all.dedup();
    all
}

/// Adds the `APIService` of a version that this server serves. `managed` is why it exists.
pub(super) fn add_api_service(registry: &Registry, group: &str, version: &str, managed: &str) {
    let Some(served) = registry.catalog().find(REGISTRATION, "v1", "apiservices") else { return };
    let known = PRIORITIES.iter().find(|(known, _)| *known == group).map(|(_, priority)| *priority);
    let (group_priority, version_priority) = match (known, group, version) {
        (Some(priority), "", _) => (priority, 1),
        (Some(priority), "autoscaling", "v2") => (priority, 30),
        (Some(priority), "flowcontrol.apiserver.k8s.io" | "resource.k8s.io", "v1") => (priority, 21),
        (Some(priority), ..) => (priority, 15),
        (None, ..) => (1000, 100),
    };
    let mut spec = json!({
        "version": version, "groupPriorityMinimum": group_priority, "versionPriority": version_priority,
    });
    if let Some(spec) = spec.as_map_mut().filter(|_| !group.is_empty()) {
        spec.insert("group", group.into());
    }
    let condition = json!({
        "type": "Available", "status": "True", "lastTransitionTime": registry.clock().now().to_string(),
        "reason": "Local", "message": "Local APIServices are always available",
    });
    let object = json!({
        "kind": "APIService", "apiVersion": "apiregistration.k8s.io/v1",
        "metadata": {
            "name": format!("{version}.{group}"),
            "labels": {"kube-aggregator.kubernetes.io/automanaged": managed},
        },
        "spec": spec, "status": {"conditions": [condition]},
    });
    if let Ok(object) = Unstructured::try_from(object) {
        // It can only fail because the object exists.
        let _ = registry.add_fixture(&served, object);
    }
}

/// Adds and removes the `APIService` objects of custom groups.
pub(super) fn follow_custom_groups(registry: &Registry) {
    let (catalog, label) = (registry.catalog(), "kube-aggregator.kubernetes.io/automanaged");
    let Some(served) = catalog.find(REGISTRATION, "v1", "apiservices") else { return };
    let custom = catalog.all().iter().filter(|served| served.custom().is_some());
    let mut wanted: Vec<(&str, &str)> =
        custom.map(|served| (served.info.group.as_str(), served.info.version.as_str())).collect();
    wanted.dedup();
    for (group, version) in &wanted {
        add_api_service(registry, group, version, "true");
    }
    for object in registry.all_objects(&served) {
        let text = |field: &str| object.nested_str(&["spec", field]).ok().flatten().unwrap_or_default();
        if object.label(label) == Some("true") && !wanted.contains(&(text("group"), text("version"))) {
            // It can only fail because somebody else deleted it.
            let _ = registry.delete(&served, "", object.name(), &DeleteOptions::EMPTY, None);
        }
    }
}

fn config_maps(registry: &Registry, authority: &Authority) {
    let mut data = json!({
        "requestheader-allowed-names": "[\"front-proxy-client\"]",
        "requestheader-extra-headers-prefix": "[\"X-Remote-Extra-\"]",
        "requestheader-group-headers": "[\"X-Remote-Group\"]",
        "requestheader-username-headers": "[\"X-Remote-User\"]",
    });
    if let (Some(data), Ok(certificate)) = (data.as_map_mut(), authority.pem()) {
        data.insert("client-ca-file", certificate.as_str().into());
        data.insert("requestheader-client-ca-file", certificate.as_str().into());
    }
    let today: String =
        registry.clock().now().to_string().chars().take_while(|letter| *letter != 'T').collect();
    for (name, data) in [
        ("extension-apiserver-authentication", data),
        ("kube-apiserver-legacy-service-account-token-tracking", json!({"since": today})),
    ] {
        let map = json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name}, "data": data});
        put(registry, "", "configmaps", "kube-system", map);
    }
}

/// Creates the lease by which components find the API servers of a cluster.
fn lease(registry: &Registry) {
    let uid = new_uid();
    let name = format!("apiserver-{}", uid.replace('-', ""));
    let now = registry.clock().now().to_string();
    let lease: Json = json!({
        "kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
        "metadata": {
            "name": name.as_str(), "labels": {"apiserver.kubernetes.io/identity": "kube-apiserver"},
        },
        "spec": {
            "holderIdentity": format!("{name}_{uid}"), "leaseDurationSeconds": 3600,
            "renewTime": now.replace('Z', ".000000Z"),
        },
    });
    put(registry, "coordination.k8s.io", "leases", "kube-system", lease);
}
