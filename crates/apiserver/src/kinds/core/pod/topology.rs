//! The topology labels of a pod: those of its node.

use client_rs_machinery::Unstructured;

const LABELS: [&str; 2] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/// Copies the topology labels of its node to a pod.
pub(super) fn copy_labels(pod: &mut Unstructured, node: &Unstructured) {
    for key in LABELS {
        if let Some(value) = node.label(key) {
            pod.set_label(key, value);
        }
    }
}
