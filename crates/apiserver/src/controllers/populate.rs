//! Default objects: the content of new namespaces, and the system priority classes.

use client_rs_machinery::{Unstructured, json};

use super::put;
use crate::registry::{Registry, WriteOptions};

/// Creates the objects that a real cluster's controllers create in a new namespace. There they appear a moment
/// later, here at once.
pub(super) fn populate(registry: &Registry, namespace: &str) {
    put(
        registry,
        "",
        "serviceaccounts",
        namespace,
        json!({"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": "default"}}),
    );
    let map = json!({
        "kind": "ConfigMap", "apiVersion": "v1",
        "metadata": {
            "name": "kube-root-ca.crt",
            "annotations": {"kubernetes.io/description": "Holds the certificate authority that signed the API server's certificate."},
        },
        "data": {"ca.crt": ""},
    });
    put(registry, "", "configmaps", namespace, map);
}

/// Creates the system priority classes.
pub(super) fn create_priority_classes(registry: &Registry) {
    let classes = [("system-cluster-critical", 2_000_000_000_i64), ("system-node-critical", 2_000_001_000)];
    for (name, value) in classes {
        let class = json!({
            "kind": "PriorityClass", "apiVersion": "scheduling.k8s.io/v1", "metadata": {"name": name}, "value": value,
            "description": "Used for system critical pods.",
        });
        let served = registry.catalog().find("scheduling.k8s.io", "v1", "priorityclasses");
        if let (Some(served), Ok(class)) = (served, Unstructured::try_from(class)) {
            // It can only fail because the object exists.
            let _ = registry.create(&served, "", class, WriteOptions::default());
        }
    }
}
