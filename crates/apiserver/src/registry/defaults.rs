//! What an object has where its author said nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{Json, Map, Unstructured, json};

use super::catalog::Served;

/// Fills in the defaults of a kind. Doing it twice changes nothing more.
pub(crate) fn apply(served: &Served, object: &mut Unstructured) {
    let object = &mut object.object;
    // A custom object has those of its schema.
    if served.custom.is_some() {
        return;
    }
    match served.at() {
        ("", "pods") => pod(object),
        ("", "podtemplates") => template(object, &["template"]),
        ("", "replicationcontrollers") => replication_controller(object),
        ("", "services") => service(object),
        ("", "secrets") => secret(object),
        ("", "persistentvolumes") => {
            let spec = within(object, "spec");
            default(spec, "persistentVolumeReclaimPolicy", "Retain");
            default(spec, "volumeMode", "Filesystem");
            if let Some(path) = spec.get_mut("hostPath").and_then(Json::as_map_mut) {
                default(path, "type", "");
            }
        }
        ("", "limitranges") => {
            for limit in list(within(object, "spec"), "limits") {
                limit_range(limit);
            }
        }
        ("storage.k8s.io", "csidrivers") => {
            let spec = within(object, "spec");
            default(spec, "attachRequired", true);
            default(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
            for flag in [
                "podInfoOnMount",
                "preventPodSchedulingIfMissing",
                "requiresRepublish",
                "seLinuxMount",
                "storageCapacity",
            ] {
                default(spec, flag, false);
            }
            default(spec, "volumeLifecycleModes", json!(["Persistent"]));
        }
        ("", "persistentvolumeclaims") => {
            default(within(object, "spec"), "volumeMode", "Filesystem");
            default(within(object, "status"), "phase", "Pending");
        }
        ("", "endpoints") => {
            for subset in list(object, "subsets") {
                ports(subset);
            }
        }
        ("discovery.k8s.io", "endpointslices") => {
            for port in list(object, "ports") {
                default(port, "name", "");
                default(port, "protocol", "TCP");
            }
        }
        ("apps" | "batch", plural) => workload(plural, object),
        ("rbac.authorization.k8s.io", "rolebindings" | "clusterrolebindings") => {
            const RBAC: &str = "rbac.authorization.k8s.io";
            default(within(object, "roleRef"), "apiGroup", RBAC);
            for subject in list(object, "subjects") {
                if is(subject, "kind", "User") || is(subject, "kind", "Group") {
                    default(subject, "apiGroup", RBAC);
                }
            }
        }
        ("storage.k8s.io", "storageclasses") => {
            default(object, "reclaimPolicy", "Delete");
            default(object, "volumeBindingMode", "Immediate");
        }
        ("admissionregistration.k8s.io", "mutatingwebhookconfigurations") => webhooks(object, true),
        ("admissionregistration.k8s.io", "validatingwebhookconfigurations") => webhooks(object, false),
        ("flowcontrol.apiserver.k8s.io", "flowschemas") => {
            let spec = within(object, "spec");
            // The type writes what was not given as 0.
            if spec.get("matchingPrecedence").is_none_or(|value| *value == json!(0)) {
                spec.insert("matchingPrecedence", 1000.into());
            }
        }
        ("scheduling.k8s.io", "priorityclasses") => {
            default(object, "preemptionPolicy", "PreemptLowerPriority");
        }
        ("autoscaling", "horizontalpodautoscalers") => {
            let spec = within(object, "spec");
            default(spec, "minReplicas", 1);
            if list(spec, "metrics").next().is_none() {
                let target = json!({"type": "Utilization", "averageUtilization": 80});
                spec.insert(
                    "metrics",
                    json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]),
                );
            }
        }
        ("networking.k8s.io", "networkpolicies") => {
            let spec = within(object, "spec");
            if list_is_empty(spec, "policyTypes") {
                let egress = !list_is_empty(spec, "egress");
                let types = if egress { json!(["Ingress", "Egress"]) } else { json!(["Ingress"]) };
                spec.insert("policyTypes", types);
            }
        }
        _ => {}
    }
}

/// The kinds of the groups `apps` and `batch`.
fn workload(plural: &str, object: &mut Map<Json>) {
    match plural {
        "deployments" => deployment(object),
        "replicasets" => {
            default(within(object, "spec"), "replicas", 1);
            template(object, &["spec", "template"]);
        }
        "statefulsets" => stateful_set(object),
        "daemonsets" => {
            let spec = within(object, "spec");
            default(spec, "revisionHistoryLimit", 10);
            let strategy = within(spec, "updateStrategy");
            default(strategy, "type", "RollingUpdate");
            if is(strategy, "type", "RollingUpdate") {
                let rolling = within(strategy, "rollingUpdate");
                default(rolling, "maxUnavailable", 1);
                default(rolling, "maxSurge", 0);
            }
            template(object, &["spec", "template"]);
        }
        "jobs" => {
            let spec = within(object, "spec");
            job(spec);
            // A job that makes its own selector gets its labels with it.
            let labels = spec.get("template").map(|template| template["metadata"]["labels"].clone());
            let manual = spec.get("manualSelector") == Some(&json!(true));
            if let Some(labels @ Json::Map(_)) = labels.filter(|_| manual) {
                let meta = within(object, "metadata");
                if meta.get("labels").and_then(Json::as_map).is_none_or(Map::is_empty) {
                    meta.insert("labels", labels);
                }
            }
        }
        "cronjobs" => {
            let spec = within(object, "spec");
            default(spec, "concurrencyPolicy", "Allow");
            default(spec, "suspend", false);
            default(spec, "successfulJobsHistoryLimit", 3);
            default(spec, "failedJobsHistoryLimit", 1);
            pod_template(within(within(within(spec, "jobTemplate"), "spec"), "template"));
        }
        _ => {}
    }
}

fn pod(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    for kind in ["initContainers", "containers"] {
        for container in list(spec, kind) {
            requests(container);
        }
    }
    default(spec, "enableServiceLinks", true);
    pod_spec(spec);
}

/// A limit is also a request, where none is given.
fn requests(container: &mut Map<Json>) {
    let Some(resources) = container.get_mut("resources").and_then(Json::as_map_mut) else { return };
    let Some(limits) = resources.get("limits").and_then(Json::as_map).cloned() else { return };
    let requests = within(resources, "requests");
    for (resource, amount) in &limits {
        if !requests.contains_key(resource) {
            requests.insert(resource.clone(), amount.clone());
        }
    }
}

fn template(object: &mut Map<Json>, path: &[&str]) {
    let mut at = object;
    for key in path {
        at = within(at, key);
    }
    pod_template(at);
}

fn pod_template(template: &mut Map<Json>) {
    pod_spec(within(template, "spec"));
}

fn pod_spec(spec: &mut Map<Json>) {
    default(spec, "dnsPolicy", "ClusterFirst");
    default(spec, "restartPolicy", "Always");
    default(spec, "securityContext", Json::EMPTY_MAP);
    default(spec, "terminationGracePeriodSeconds", 30);
    default(spec, "schedulerName", "default-scheduler");
    let host_network = spec.get("hostNetwork").and_then(Json::as_bool) == Some(true);
    for kind in ["initContainers", "containers", "ephemeralContainers"] {
        for one in list(spec, kind) {
            container(one, host_network);
        }
    }
    for one in list(spec, "volumes") {
        volume(one);
    }
}

fn container(container: &mut Map<Json>, host_network: bool) {
    default(container, "terminationMessagePath", "/dev/termination-log");
    default(container, "terminationMessagePolicy", "File");
    let image = container.get("image").and_then(Json::as_str).unwrap_or_default();
    let policy = if is_latest(image) { "Always" } else { "IfNotPresent" };
    default(container, "imagePullPolicy", policy);
    for port in list(container, "ports") {
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
    for variable in list(container, "env") {
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
    // A volume without a source is an empty directory.
    if volume.iter().all(|(key, value)| key == "name" || value.is_null()) {
        volume.insert("emptyDir", Json::EMPTY_MAP);
    }
    for kind in ["secret", "configMap", "downwardAPI", "projected"] {
        let Some(source) = volume.get_mut(kind).and_then(Json::as_map_mut) else { continue };
        default(source, "defaultMode", MODE);
        for item in list(source, "items") {
            field_ref(item);
        }
        for projection in list(source, "sources") {
            if let Some(token) = projection.get_mut("serviceAccountToken").and_then(Json::as_map_mut) {
                default(token, "expirationSeconds", 3600);
            }
            if let Some(downward) = projection.get_mut("downwardAPI").and_then(Json::as_map_mut) {
                for item in list(downward, "items") {
                    field_ref(item);
                }
            }
        }
    }
    if let Some(path) = volume.get_mut("hostPath").and_then(Json::as_map_mut) {
        default(path, "type", "");
    }
}

/// Whether an image is the latest of its name: it says so, or says nothing.
fn is_latest(image: &str) -> bool {
    let (name, digest) = image.split_once('@').map_or((image, ""), |(name, digest)| (name, digest));
    let last = name.rsplit('/').next().unwrap_or_default();
    match last.split_once(':') {
        Some((_, tag)) => tag == "latest",
        None => digest.is_empty(),
    }
}

fn deployment(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "replicas", 1);
    default(spec, "revisionHistoryLimit", 10);
    default(spec, "progressDeadlineSeconds", 600);
    let strategy = within(spec, "strategy");
    default(strategy, "type", "RollingUpdate");
    if is(strategy, "type", "RollingUpdate") {
        let rolling = within(strategy, "rollingUpdate");
        default(rolling, "maxUnavailable", "25%");
        default(rolling, "maxSurge", "25%");
    }
    template(object, &["spec", "template"]);
}

fn stateful_set(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "podManagementPolicy", "OrderedReady");
    default(spec, "replicas", 1);
    default(spec, "revisionHistoryLimit", 10);
    let strategy = within(spec, "updateStrategy");
    default(strategy, "type", "RollingUpdate");
    if is(strategy, "type", "RollingUpdate") {
        let rolling = within(strategy, "rollingUpdate");
        default(rolling, "partition", 0);
        default(rolling, "maxUnavailable", 1);
    }
    let retention = within(spec, "persistentVolumeClaimRetentionPolicy");
    default(retention, "whenDeleted", "Retain");
    default(retention, "whenScaled", "Retain");
    for claim in list(spec, "volumeClaimTemplates") {
        claim.insert("kind", "PersistentVolumeClaim".into());
        claim.insert("apiVersion", "v1".into());
        default(within(claim, "spec"), "volumeMode", "Filesystem");
        default(within(claim, "status"), "phase", "Pending");
    }
    template(object, &["spec", "template"]);
}

fn job(spec: &mut Map<Json>) {
    // Without either number, one pod is to finish.
    if missing(spec, "completions") && missing(spec, "parallelism") {
        spec.insert("completions", 1.into());
    }
    default(spec, "parallelism", 1);
    default(spec, "backoffLimit", 6);
    default(spec, "completionMode", "NonIndexed");
    default(spec, "suspend", false);
    let policy = if missing(spec, "podFailurePolicy") { "TerminatingOrFailed" } else { "Failed" };
    default(spec, "podReplacementPolicy", policy);
    pod_template(within(spec, "template"));
}

fn replication_controller(object: &mut Map<Json>) {
    let labels = object.get("spec").and_then(|spec| spec.path(&["template", "metadata", "labels"])).cloned();
    let spec = within(object, "spec");
    default(spec, "replicas", 1);
    if let Some(labels) = labels {
        default(spec, "selector", labels.clone());
        default(within(object, "metadata"), "labels", labels);
    }
    template(object, &["spec", "template"]);
}

fn service(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "sessionAffinity", "None");
    if is(spec, "sessionAffinity", "ClientIP") {
        let config = within(within(spec, "sessionAffinityConfig"), "clientIP");
        default(config, "timeoutSeconds", 10_800);
    }
    default(spec, "type", "ClusterIP");
    for port in list(spec, "ports") {
        default(port, "protocol", "TCP");
        let number = port.get("port").cloned().unwrap_or_default();
        // The type writes a port that was not given as 0.
        if port.get("targetPort").is_none_or(|target| *target == json!(0) || *target == json!("")) {
            port.insert("targetPort", number);
        }
    }
    let outside = is(spec, "type", "NodePort")
        || is(spec, "type", "LoadBalancer")
        || (is(spec, "type", "ClusterIP")
            && spec
                .get("externalIPs")
                .and_then(Json::as_list)
                .is_some_and(|addresses| !addresses.is_empty()));
    if outside {
        default(spec, "externalTrafficPolicy", "Cluster");
    }
    if !is(spec, "type", "ExternalName") {
        default(spec, "internalTrafficPolicy", "Cluster");
    }
    if is(spec, "type", "LoadBalancer") {
        default(spec, "allocateLoadBalancerNodePorts", true);
        let balancer = object.get_mut("status").and_then(Json::as_map_mut);
        let balancer = balancer.and_then(|status| status.get_mut("loadBalancer")).and_then(Json::as_map_mut);
        for ingress in balancer.into_iter().flat_map(|balancer| list(balancer, "ingress")) {
            if !is(ingress, "ip", "") && ingress.get("ip").is_some() {
                default(ingress, "ipMode", "VIP");
            }
        }
    }
}

fn secret(object: &mut Map<Json>) {
    default(object, "type", "Opaque");
    let Some(Json::Map(plain)) = object.remove("stringData") else { return };
    let data = within(object, "data");
    for (key, value) in &plain {
        if let Some(text) = value.as_str() {
            data.insert(key.clone(), STANDARD.encode(text).into());
        }
    }
    if data.is_empty() {
        object.remove("data");
    }
}

fn webhooks(object: &mut Map<Json>, mutating: bool) {
    for webhook in list(object, "webhooks") {
        default(webhook, "failurePolicy", "Fail");
        default(webhook, "matchPolicy", "Equivalent");
        default(webhook, "namespaceSelector", Json::EMPTY_MAP);
        default(webhook, "objectSelector", Json::EMPTY_MAP);
        default(webhook, "timeoutSeconds", 10);
        if mutating {
            default(webhook, "reinvocationPolicy", "Never");
        }
        if let Some(service) = webhook
            .get_mut("clientConfig")
            .and_then(Json::as_map_mut)
            .and_then(|client| client.get_mut("service"))
            .and_then(Json::as_map_mut)
        {
            default(service, "port", 443);
        }
        for rule in list(webhook, "rules") {
            default(rule, "scope", "*");
        }
    }
}

/// The largest is the limit, the limit the request, and the smallest the request where there is no limit.
fn limit_range(limit: &mut Map<Json>) {
    if !is(limit, "type", "Container") {
        return;
    }
    for (from, to) in [("max", "default"), ("default", "defaultRequest"), ("min", "defaultRequest")] {
        let Some(Json::Map(source)) = limit.get(from).cloned() else { continue };
        let target = within(limit, to);
        for (resource, amount) in &source {
            if !target.contains_key(resource) {
                target.insert(resource.clone(), amount.clone());
            }
        }
    }
}

fn ports(holder: &mut Map<Json>) {
    for port in list(holder, "ports") {
        default(port, "protocol", "TCP");
    }
}

fn missing(map: &Map<Json>, key: &str) -> bool {
    map.get(key).is_none_or(Json::is_null)
}

fn is(map: &Map<Json>, key: &str, value: &str) -> bool {
    map.get(key).and_then(Json::as_str) == Some(value)
}

fn default(map: &mut Map<Json>, key: &str, value: impl Into<Json>) {
    // A text that was not given is written as an empty one.
    let empty = map.get(key).and_then(Json::as_str) == Some("");
    if missing(map, key) || empty {
        map.insert(key, value.into());
    }
}

/// The object at a key, made where there is none.
fn within<'m>(map: &'m mut Map<Json>, key: &str) -> &'m mut Map<Json> {
    let value = map.get_or_insert_with(key, || Json::EMPTY_MAP);
    if value.as_map().is_none() {
        *value = Json::EMPTY_MAP;
    }
    match value {
        Json::Map(inner) => inner,
        _ => unreachable!("it was just made one"),
    }
}

fn list_is_empty(map: &Map<Json>, key: &str) -> bool {
    map.get(key).and_then(Json::as_list).is_none_or(client_rs_machinery::List::is_empty)
}

/// The objects of the list at a key.
fn list<'m>(map: &'m mut Map<Json>, key: &str) -> impl Iterator<Item = &'m mut Map<Json>> {
    let list = if list_is_empty(map, key) { None } else { map.get_mut(key).and_then(Json::as_list_mut) };
    list.into_iter().flat_map(|list| list.make_mut().iter_mut()).filter_map(Json::as_map_mut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_without_a_tag_is_the_latest() {
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

    #[test]
    fn twice_is_as_once() {
        let mut object = json!({"spec": {
            "containers": [{"name": "c", "resources": {"limits": {"cpu": "1"}}, "livenessProbe": {"httpGet": {"port": 1}}}],
            "volumes": [{"name": "v"}, {"name": "w", "secret": {"secretName": "s"}}],
        }});
        let map = object.as_map_mut().unwrap();
        pod(map);
        let once = map.clone();
        pod(map);
        assert_eq!(*map, once);
        let object = Json::Map(once);
        assert_eq!(object.pointer("/spec/containers/0/resources/requests/cpu"), Some(&json!("1")));
        assert_eq!(object.pointer("/spec/containers/0/livenessProbe/httpGet/path"), Some(&json!("/")));
        assert_eq!(object.pointer("/spec/volumes/0/emptyDir"), Some(&json!({})));
        assert_eq!(object.pointer("/spec/volumes/1/secret/defaultMode"), Some(&json!(420)));
    }
}
