//! Validates pod specs and pod templates.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Quantity, validation};

use super::volumes;
use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{
    NOT_NEGATIVE, entries, invalid, is_empty, label_selector, labels, list, not_negative, one_of, port,
    port_number, quantity, required, text, unique_label, wrong,
};

const SECONDS_MAX: i64 = 2_147_483_647;

pub(crate) fn spec(spec: &Json, path: &str, errors: &mut Errors) {
    self::spec_with_claims(spec, &[], path, errors);
}

/// As [`spec`], for pods that also have a volume for each of these claims.
pub(crate) fn spec_with_claims(spec: &Json, claims: &[&str], path: &str, errors: &mut Errors) {
    let mut volumes = volumes::check(&spec["volumes"], &format!("{path}.volumes"), errors);
    volumes.extend(claims.iter().map(|claim| (*claim).to_owned()));
    required(spec, path, "containers", errors);
    let mut names = HashSet::new();
    for kind in ["containers", "initContainers"] {
        for (index, container) in list(&spec[kind]).enumerate() {
            let path = format!("{path}.{kind}[{index}]");
            unique_label(&container["name"], &format!("{path}.name"), &mut names, errors);
            self::container(container, &path, &volumes, errors);
        }
    }
    for (index, container) in list(&spec["ephemeralContainers"]).enumerate() {
        let path = format!("{path}.ephemeralContainers[{index}]");
        unique_label(&container["name"], &format!("{path}.name"), &mut names, errors);
        ephemeral_container(container, spec, &path, &volumes, errors);
    }
    host_ports(spec, path, errors);
    one_of(spec, path, "restartPolicy", &["Always", "OnFailure", "Never"], errors);
    one_of(spec, path, "dnsPolicy", &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"], errors);
    for (key, value) in entries(&spec["nodeSelector"]) {
        let path = format!("{path}.nodeSelector");
        invalid(&path, key, validation::qualified_name(key), errors);
        invalid(&path, value, validation::label_value(value), errors);
    }
    security(&spec["securityContext"], &format!("{path}.securityContext"), errors);
    sysctls(spec, &format!("{path}.securityContext.sysctls"), errors);
    affinity(&spec["affinity"], &format!("{path}.affinity"), errors);
    let subdomains =
        ["serviceAccountName", "nodeName"].map(|field| (field, validation::dns1123_subdomain as Rule));
    let labels = ["hostname", "subdomain"].map(|field| (field, validation::dns1123_label as Rule));
    for (field, rule) in subdomains.into_iter().chain(labels) {
        let name = text(&spec[field]);
        if !name.is_empty() {
            invalid(&format!("{path}.{field}"), name, rule(name), errors);
        }
    }
    host_name(spec, &format!("{path}.hostnameOverride"), errors);
    let deadline = &spec["activeDeadlineSeconds"];
    if let Some(seconds) = deadline.as_i64() {
        for why in validation::in_range(seconds, 1, SECONDS_MAX).err().into_iter().flatten() {
            wrong(format!("{path}.activeDeadlineSeconds"), deadline, &why.to_string(), errors);
        }
    }
    for (index, toleration) in list(&spec["tolerations"]).enumerate() {
        self::toleration(toleration, &format!("{path}.tolerations[{index}]"), errors);
    }
    let mut gates = HashSet::new();
    for (index, gate) in list(&spec["schedulingGates"]).enumerate() {
        let (path, name) = (format!("{path}.schedulingGates[{index}]"), text(&gate["name"]));
        invalid(&path, name, validation::qualified_name(name), errors);
        if !gates.insert(name) {
            errors.push(FieldError::duplicate(path, name));
        }
    }
    for (index, spread) in list(&spec["topologySpreadConstraints"]).enumerate() {
        let path = format!("{path}.topologySpreadConstraints[{index}]");
        if spread["maxSkew"].as_i64().unwrap_or_default() <= 0 {
            wrong(format!("{path}.maxSkew"), &spread["maxSkew"], "must be greater than zero", errors);
        }
        if is_empty(&spread["topologyKey"]) {
            errors.push(FieldError::required(format!("{path}.topologyKey"), "can not be empty"));
        }
        one_of(spread, &path, "whenUnsatisfiable", &["DoNotSchedule", "ScheduleAnyway"], errors);
        label_selector(&spread["labelSelector"], &format!("{path}.labelSelector"), errors);
    }
}

type Rule = fn(&str) -> validation::Result;

/// The longest name of a host.
const HOST_NAME_MAX: usize = 64;

fn host_name(spec: &Json, path: &str, errors: &mut Errors) {
    let Some(name) = spec["hostnameOverride"].as_str() else { return };
    for field in ["setHostnameAsFQDN", "hostNetwork"] {
        if spec[field].as_bool() == Some(true) {
            errors.push(FieldError::forbidden(path, format!("may not be specified when {field} is true")));
        }
    }
    if name.len() > HOST_NAME_MAX {
        errors.push(FieldError::too_long(path, HOST_NAME_MAX));
    }
    invalid(path, name, validation::dns1123_subdomain(name), errors);
}

fn container(container: &Json, path: &str, volumes: &HashSet<String>, errors: &mut Errors) {
    let image = text(&container["image"]);
    if image.is_empty() {
        errors.push(FieldError::required(format!("{path}.image"), ""));
    } else if image.trim() != image {
        let why = "must not have leading or trailing whitespace";
        errors.push(FieldError::invalid(format!("{path}.image"), image, why));
    }
    for hook in ["postStart", "preStop"] {
        let (handler, path) = (&container["lifecycle"][hook], format!("{path}.lifecycle.{hook}"));
        if !handler.is_null() {
            self::handler(handler, &path, &["exec", "httpGet", "tcpSocket", "sleep"], errors);
        }
    }
    for kind in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if !container[kind].is_null() {
            probe(&container[kind], kind, &format!("{path}.{kind}"), errors);
        }
    }
    ports(container, path, errors);
    env(container, path, errors);
    mounts(container, path, volumes, errors);
    one_of(container, path, "imagePullPolicy", &["Always", "IfNotPresent", "Never"], errors);
    resources(&container["resources"], &format!("{path}.resources"), errors);
    security(&container["securityContext"], &format!("{path}.securityContext"), errors);
}

/// Validates a container that is added to a pod for a look at it, and is no part of the work.
fn ephemeral_container(
    container: &Json,
    spec: &Json,
    path: &str,
    volumes: &HashSet<String>,
    errors: &mut Errors,
) {
    const FORBIDDEN: [&str; 9] = [
        "ports",
        "resources",
        "resizePolicy",
        "restartPolicy",
        "restartPolicyRules",
        "livenessProbe",
        "readinessProbe",
        "startupProbe",
        "lifecycle",
    ];
    let mut plain = container.clone();
    for field in FORBIDDEN {
        plain.remove(&[field]);
    }
    self::container(&plain, path, volumes, errors);
    let target = text(&container["targetContainerName"]);
    let mut others = ["containers", "initContainers"].iter().flat_map(|kind| list(&spec[*kind]));
    if !target.is_empty() && !others.any(|other| text(&other["name"]) == target) {
        errors.push(FieldError::not_found(format!("{path}.targetContainerName"), target));
    }
    let mut forbid = |path: String| {
        errors.push(FieldError::forbidden(path, "cannot be set for an Ephemeral Container"));
    };
    for field in FORBIDDEN.into_iter().filter(|field| !is_empty(&container[*field])) {
        forbid(format!("{path}.{field}"));
    }
    for (index, mount) in list(&container["volumeMounts"]).enumerate() {
        for field in ["subPath", "subPathExpr"].into_iter().filter(|field| !is_empty(&mount[*field])) {
            forbid(format!("{path}.volumeMounts[{index}].{field}"));
        }
    }
}

fn ports(container: &Json, path: &str, errors: &mut Errors) {
    let mut names = HashSet::new();
    for (index, port) in list(&container["ports"]).enumerate() {
        let path = format!("{path}.ports[{index}]");
        let name = text(&port["name"]);
        if !name.is_empty() {
            invalid(&format!("{path}.name"), name, validation::port_name(name), errors);
            if !names.insert(name) {
                errors.push(FieldError::duplicate(format!("{path}.name"), name));
            }
        }
        let field = format!("{path}.containerPort");
        match port["containerPort"].as_i64().unwrap_or(0) {
            0 => errors.push(FieldError::required(field, "")),
            number => port_number(number, &field, errors),
        }
        match port["hostPort"].as_i64().unwrap_or(0) {
            0 => {}
            number => port_number(number, &format!("{path}.hostPort"), errors),
        }
        one_of(port, &path, "protocol", &["SCTP", "TCP", "UDP"], errors);
    }
}

/// Checks that host ports are unique.
fn host_ports(spec: &Json, path: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (at, container) in list(&spec["containers"]).enumerate() {
        for (index, port) in list(&container["ports"]).enumerate() {
            let number = port["hostPort"].as_i64().unwrap_or(0);
            let key = format!("{}/{}/{number}", text(&port["protocol"]), text(&port["hostIP"]));
            if number > 0 && !seen.insert(key.clone()) {
                let field = format!("{path}.containers[{at}].ports[{index}].hostPort");
                errors.push(FieldError::duplicate(field, &key));
            }
        }
    }
}

fn env(container: &Json, path: &str, errors: &mut Errors) {
    for (index, variable) in list(&container["env"]).enumerate() {
        let path = format!("{path}.env[{index}]");
        match text(&variable["name"]) {
            "" => errors.push(FieldError::required(format!("{path}.name"), "")),
            name => invalid(&format!("{path}.name"), name, validation::relaxed_env_var_name(name), errors),
        }
        if !variable["valueFrom"].is_null() {
            env_source(variable, &format!("{path}.valueFrom"), errors);
        }
    }
    for (index, source) in list(&container["envFrom"]).enumerate() {
        let field = format!("{path}.envFrom");
        let of = |kind: &str| !source[kind].is_null();
        if !of("configMapRef") && !of("secretRef") {
            let why = "must specify one of: `configMapRef` or `secretRef`";
            errors.push(FieldError::invalid(field.as_str(), "", why));
        } else if of("configMapRef") && of("secretRef") {
            let why = "may not have more than one field specified at a time";
            errors.push(FieldError::invalid(field.as_str(), "", why));
        }
        for kind in ["configMapRef", "secretRef"].into_iter().filter(|kind| of(kind)) {
            required(&source[kind], &format!("{field}[{index}].{kind}"), "name", errors);
        }
    }
}

/// The fields of a pod that environment variables and files can refer to.
pub(super) const FIELDS: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "metadata.labels",
    "metadata.annotations",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.serviceAccountName",
    "spec.schedulerName",
    "spec.hostNetwork",
    "status.phase",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

fn env_source(variable: &Json, path: &str, errors: &mut Errors) {
    const KINDS: [&str; 5] =
        ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
    let source = &variable["valueFrom"];
    let given: Vec<&str> = KINDS.into_iter().filter(|kind| !source[*kind].is_null()).collect();
    for kind in &given {
        let path = format!("{path}.{kind}");
        match *kind {
            "fieldRef" => {
                let field = text(&source["fieldRef"]["fieldPath"]);
                let plain = field.split_once('[').map_or(field, |(map, _)| map);
                if field.is_empty() {
                    errors.push(FieldError::required(format!("{path}.fieldPath"), ""));
                } else if !FIELDS.contains(&plain) {
                    let why = format!("error converting fieldPath: field label not supported: {field}");
                    errors.push(FieldError::invalid(format!("{path}.fieldPath"), field, why));
                }
            }
            "configMapKeyRef" | "secretKeyRef" => match text(&source[*kind]["key"]) {
                "" => errors.push(FieldError::required(format!("{path}.key"), "")),
                key => invalid(&format!("{path}.key"), key, validation::config_map_key(key), errors),
            },
            _ => {}
        }
    }
    if given.is_empty() {
        let why = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
        errors.push(FieldError::invalid(path, "", why));
    } else if !text(&variable["value"]).is_empty() {
        errors.push(FieldError::invalid(path, "", "may not be specified when `value` is not empty"));
    } else if given.len() > 1 {
        errors.push(FieldError::invalid(path, "", "may not have more than one field specified at a time"));
    }
}

fn mounts(container: &Json, path: &str, volumes: &HashSet<String>, errors: &mut Errors) {
    let mut places = HashSet::new();
    for (index, mount) in list(&container["volumeMounts"]).enumerate() {
        let path = format!("{path}.volumeMounts[{index}]");
        match text(&mount["name"]) {
            "" => errors.push(FieldError::required(format!("{path}.name"), "")),
            name if !volumes.contains(name) => {
                errors.push(FieldError::not_found(format!("{path}.name"), name));
            }
            _ => {}
        }
        let place = text(&mount["mountPath"]);
        if place.is_empty() {
            errors.push(FieldError::required(format!("{path}.mountPath"), ""));
        }
        if !places.insert(place) {
            errors.push(FieldError::invalid(format!("{path}.mountPath"), place, "must be unique"));
        }
    }
}

fn resources(resources: &Json, path: &str, errors: &mut Errors) {
    let amount = |kind: &str, name: &str| -> Option<Quantity> { quantity(resources[kind].get(name)?) };
    for kind in ["limits", "requests"] {
        for (name, value) in resources[kind].as_map().into_iter().flatten() {
            let own = format!("{path}.{kind}[{name}]");
            invalid(&own, name, validation::qualified_name(name), errors);
            let standard = ["cpu", "memory", "ephemeral-storage"].contains(&name.as_str())
                || name.starts_with("hugepages-");
            if !standard && !name.contains('/') {
                for what in ["resource type or fully qualified", "resource for containers"] {
                    errors.push(FieldError::invalid(
                        own.as_str(),
                        name,
                        format!("must be a standard {what}"),
                    ));
                }
            }
            if quantity(value).is_some_and(|value| value < Quantity::default()) {
                errors.push(FieldError::invalid(own, text(value), NOT_NEGATIVE));
            }
            let (request, limit) = (amount("requests", name), amount("limits", name));
            if let (Some(request), Some(limit), "requests") = (request, limit, kind)
                && request > limit
            {
                let why = format!("must be less than or equal to {name} limit of {limit}");
                errors.push(FieldError::invalid(format!("{path}.requests"), &request.to_string(), why));
            }
        }
    }
}

fn probe(probe: &Json, kind: &str, path: &str, errors: &mut Errors) {
    handler(probe, path, &["exec", "httpGet", "tcpSocket", "grpc"], errors);
    let times =
        ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];
    not_negative(probe, path, &times, errors);
    let success = &probe["successThreshold"];
    if kind != "readinessProbe" && success.as_i64().is_some_and(|count| count > 1) {
        wrong(format!("{path}.successThreshold"), success, "must be 1", errors);
    }
}

/// Validates a handler: exactly one of several actions.
fn handler(handler: &Json, path: &str, kinds: &[&str], errors: &mut Errors) {
    let mut found = 0;
    for kind in kinds.iter().filter(|kind| !handler[**kind].is_null()) {
        found += 1;
        let (own, path) = (&handler[*kind], format!("{path}.{kind}"));
        if found > 1 {
            errors.push(FieldError::forbidden(path, "may not specify more than 1 handler type"));
            continue;
        }
        match *kind {
            "exec" => {
                required(own, &path, "command", errors);
            }
            "httpGet" => {
                required(own, &path, "path", errors);
                port(&own["port"], &format!("{path}.port"), errors);
                one_of(own, &path, "scheme", &["HTTP", "HTTPS"], errors);
            }
            "tcpSocket" | "grpc" => port(&own["port"], &format!("{path}.port"), errors),
            _ => {}
        }
    }
    if found == 0 {
        errors.push(FieldError::required(path, "must specify a handler type"));
    }
}

fn security(context: &Json, path: &str, errors: &mut Errors) {
    for field in ["runAsUser", "runAsGroup", "fsGroup"] {
        let Some(id) = context[field].as_i64() else { continue };
        for why in validation::in_range(id, 0, SECONDS_MAX).err().into_iter().flatten() {
            wrong(format!("{path}.{field}"), &context[field], &why.to_string(), errors);
        }
    }
}

const SYSCTL_MAX: usize = 253;
const SYSCTL: &str = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

/// Validates kernel parameters: names, and that none is set of a namespace that the pod shares with its host.
fn sysctls(spec: &Json, path: &str, errors: &mut Errors) {
    let mut names = HashSet::new();
    for (index, sysctl) in list(&spec["securityContext"]["sysctls"]).enumerate() {
        let (name, path) = (text(&sysctl["name"]), format!("{path}[{index}].name"));
        if name.is_empty() {
            errors.push(FieldError::required(path.as_str(), ""));
        } else if !is_sysctl(name) {
            let why = format!("must have at most {SYSCTL_MAX} characters and match regex {SYSCTL}");
            errors.push(FieldError::invalid(path.as_str(), name, why));
        } else if !names.insert(name) {
            errors.push(FieldError::duplicate(path.as_str(), name));
        }
        let plain = name.replace('/', ".");
        let ipc = plain == "kernel.sem"
            || ["kernel.shm", "kernel.msg", "fs.mqueue."].iter().any(|prefix| plain.starts_with(prefix));
        for (host, own) in [("hostNetwork", plain.starts_with("net.")), ("hostIPC", ipc)] {
            if own && spec[host].as_bool() == Some(true) {
                let why = format!("may not be specified when '{host}' is true");
                errors.push(FieldError::invalid(path.as_str(), name, why));
            }
        }
    }
}

/// Whether a name consists of segments of lower case letters and digits, with dashes and underscores inside of them.
fn is_sysctl(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= SYSCTL_MAX
        && name.split(['.', '/']).all(|segment| {
            let bytes = segment.as_bytes();
            bytes.first().is_some_and(|first| plain(*first))
                && bytes.last().is_some_and(|last| plain(*last))
                && bytes.iter().all(|byte| plain(*byte) || matches!(byte, b'-' | b'_'))
        })
}

fn toleration(toleration: &Json, path: &str, errors: &mut Errors) {
    let (key, value) = (text(&toleration["key"]), text(&toleration["value"]));
    let operator = text(&toleration["operator"]);
    if !key.is_empty() {
        invalid(&format!("{path}.key"), key, validation::qualified_name(key), errors);
    } else if operator != "Exists" {
        let why =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        errors.push(FieldError::invalid(format!("{path}.operator"), operator, why));
    }
    match operator {
        "" | "Equal" => invalid(&format!("{path}.operator"), value, validation::label_value(value), errors),
        "Exists" if !value.is_empty() => {
            let why = "value must be empty when `operator` is 'Exists'";
            errors.push(FieldError::invalid(format!("{path}.operator"), value, why));
        }
        "Exists" => {}
        other => {
            errors.push(FieldError::not_supported(format!("{path}.operator"), other, &["Equal", "Exists"]));
        }
    }
    if !is_empty(&toleration["effect"]) {
        one_of(toleration, path, "effect", &["NoSchedule", "PreferNoSchedule", "NoExecute"], errors);
    }
}

fn affinity(affinity: &Json, path: &str, errors: &mut Errors) {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    let nodes = &affinity["nodeAffinity"][REQUIRED];
    if !nodes.is_null() && is_empty(&nodes["nodeSelectorTerms"]) {
        let path = format!("{path}.nodeAffinity.{REQUIRED}.nodeSelectorTerms");
        errors.push(FieldError::required(path, "must have at least one node selector term"));
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        for (index, term) in list(&affinity[kind][REQUIRED]).enumerate() {
            let path = format!("{path}.{kind}.{REQUIRED}[{index}]");
            label_selector(&term["labelSelector"], &format!("{path}.labelSelector"), errors);
            let key = text(&term["topologyKey"]);
            if key.is_empty() {
                errors.push(FieldError::required(format!("{path}.topologyKey"), "can not be empty"));
            }
            invalid(&format!("{path}.topologyKey"), key, validation::qualified_name(key), errors);
        }
    }
}

/// Validates a pod template like a pod. The pods also have a volume for each of these claims.
pub(crate) fn template(template: &Json, claims: &[&str], path: &str, errors: &mut Errors) {
    labels(&template["metadata"]["labels"], &format!("{path}.labels"), errors);
    spec_with_claims(&template["spec"], claims, &format!("{path}.spec"), errors);
    if !is_empty(&template["spec"]["ephemeralContainers"]) {
        let why = "ephemeral containers not allowed in pod template";
        errors.push(FieldError::forbidden(format!("{path}.spec.ephemeralContainers"), why));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_parameters_have_names_of_segments() {
        for (name, good) in [
            ("kernel.shm_rmid_forced", true),
            ("net/ipv4/conf.eth0-1/forwarding", true),
            ("foo-", false),
            ("foo..bar", false),
            ("Foo", false),
            ("", false),
            ("a b", false),
        ] {
            assert_eq!(is_sysctl(name), good, "{name}");
        }
        assert!(!is_sysctl(&"a".repeat(254)));
    }
}
