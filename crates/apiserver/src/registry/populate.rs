//! What a cluster puts into itself: the content of new namespaces, and the priorities of its own pods.

use client_rs_machinery::{Json, Unstructured, json};

use super::{Registry, WriteOptions};

impl Registry {
    /// Gives a new namespace what a real cluster's controllers give it. There it comes a moment later, here at once.
    pub(super) fn populate(&self, namespace: &str) {
        if !self.options.populates {
            return;
        }
        self.put(
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
        self.put("configmaps", namespace, map);
    }

    /// The priorities that every cluster has.
    pub(super) fn create_priority_classes(&self) {
        let classes =
            [("system-cluster-critical", 2_000_000_000_i64), ("system-node-critical", 2_000_001_000)];
        for (name, value) in classes {
            let class = json!({
                "kind": "PriorityClass", "apiVersion": "scheduling.k8s.io/v1", "metadata": {"name": name}, "value": value,
                "description": "Used for system critical pods.",
            });
            let served = self.catalog().find("scheduling.k8s.io", "v1", "priorityclasses");
            if let (Some(served), Ok(class)) = (served, Unstructured::try_from(class)) {
                // The one reason to fail is that it is there.
                let _ = self.create(&served, "", class, WriteOptions::default());
            }
        }
    }

    fn put(&self, plural: &str, namespace: &str, object: Json) {
        let served = self.catalog().find("", "v1", plural);
        if let (Some(served), Ok(object)) = (served, Unstructured::try_from(object)) {
            // Whoever was faster made it their own.
            let _ = self.create(&served, namespace, object, WriteOptions::default());
        }
    }
}
