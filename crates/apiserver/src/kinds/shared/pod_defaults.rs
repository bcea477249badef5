//! The defaults of pod specs, in pods and in pod templates.

use client_rs_machinery::{Json, Map};

use crate::kinds::shared::defaulting::{default, items, within};

/// Sets the defaults of the pod template at a path.
pub(crate) fn template(object: &mut Map<Json>, path: &[&str]) {
    let mut at = object;
    for key in path {
        at = within(at, key);
    }
    pod_template(at);
}

/// Sets the defaults of a pod template.
pub(crate) fn pod_template(template: &mut Map<Json>) {
    pod_spec(within(template, "spec"));
}

/// Sets the defaults of a pod spec.
pub(crate) fn pod_spec(spec: &mut Map<Json>) {
    default(spec, "dnsPolicy", "ClusterFirst");
    default(spec, "restartPolicy", "Always");
    default(spec, "securityContext", Json::EMPTY_MAP);
    default(spec, "terminationGracePeriodSeconds", 30);
    default(spec, "schedulerName", "default-scheduler");
    let host_network = spec.get("hostNetwork").and_then(Json::as_bool) == Some(true);
    for kind in ["initContainers", "containers", "ephemeralContainers"] {
        for one in items(spec, kind) {
            container(one, host_network);
        }
    }
    for one in items(spec, "volumes") {
        volume(one);
    }
}

fn container(container: &mut Map<Json>, host_network: bool) {
    default(container, "terminationMessagePath", "/dev/termination-log");
    default(container, "terminationMessagePolicy", "File");
    let image = container.get("image").and_then(Json::as_str).unwrap_or_default();
    let policy = if is_latest(image) { "Always" } else { "IfNotPresent" };
    default(container, "imagePullPolicy", policy);
    for port in items(container, "ports") {
        default(port, "protocol", "TCP");
        if host_network && let Some(number) = port.get("containerPort").cloned() {
            default(port, "hostPort", number);
        }
    }
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(probe) = container.get_mut(name).and_then(Json::as_map_mut) {
            default(probe, "timeoutSeconds", 1);
            default(probe, "periodSeconds", 10);
            default(probe, "successThreshold", 1);
            default(probe, "failureThreshold", 3);
            handler(probe);
            if let Some(grpc) = probe.get_mut("grpc").and_then(Json::as_map_mut) {
                default(grpc, "service", "");
            }
        }
    }
    if let Some(lifecycle) = container.get_mut("lifecycle").and_then(Json::as_map_mut) {
        for hook in ["postStart", "preStop"] {
            if let Some(hook) = lifecycle.get_mut(hook).and_then(Json::as_map_mut) {
                handler(hook);
            }
        }
    }
    for variable in items(container, "env") {
        if let Some(from) = variable.get_mut("valueFrom").and_then(Json::as_map_mut) {
            field_ref(from);
        }
    }
}

fn handler(handler: &mut Map<Json>) {
    if let Some(get) = handler.get_mut("httpGet").and_then(Json::as_map_mut) {
        default(get, "path", "/");
        default(get, "scheme", "HTTP");
    }
}

fn field_ref(holder: &mut Map<Json>) {
    if let Some(field) = holder.get_mut("fieldRef").and_then(Json::as_map_mut) {
        default(field, "apiVersion", "v1");
    }
}

fn volume(volume: &mut Map<Json>) {
    const MODE: i32 = 0o644;
    // A volume without a source is an `emptyDir`.
    if volume.iter().all(|(key, value)| key == "name" || value.is_null()) {
        volume.insert("emptyDir", Json::EMPTY_MAP);
    }
    for kind in ["secret", "configMap", "downwardAPI", "projected"] {
        let Some(source) = volume.get_mut(kind).and_then(Json::as_map_mut) else { continue };
        default(source, "defaultMode", MODE);
        for item in items(source, "items") {
            field_ref(item);
        }
        for projection in items(source, "sources") {
            if let Some(token) = projection.get_mut("serviceAccountToken").and_then(Json::as_map_mut) {
                default(token, "expirationSeconds", 3600);
            }
            if let Some(downward) = projection.get_mut("downwardAPI").and_then(Json::as_map_mut) {
                for item in items(downward, "items") {
                    field_ref(item);
                }
            }
        }
    }
    if let Some(path) = volume.get_mut("hostPath").and_then(Json::as_map_mut) {
        default(path, "type", "");
    }
}

/// Whether an image has the tag `latest` or no tag.
fn is_latest(image: &str) -> bool {
    let (name, digest) = image.split_once('@').map_or((image, ""), |(name, digest)| (name, digest));
    let last = name.rsplit('/').next().unwrap_or_default();
    match last.split_once(':') {
        Some((_, tag)) => tag == "latest",
        None => digest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_without_a_tag_is_latest() {
        for (image, latest) in [
            ("nginx", true),
            ("nginx:latest", true),
            ("nginx:1", false),
            ("host:5000/nginx", true),
            ("host:5000/nginx:2", false),
            ("nginx@sha256:abc", false),
            ("nginx:latest@sha256:abc", true),
        ] {
            assert_eq!(is_latest(image), latest, "{image}");
        }
    }
}
