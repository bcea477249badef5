//! The rules of single kinds, in the real server's words.
//!
//! Kinds that are not here follow the rules that all objects have and those of their type, and no others.

use std::collections::HashSet;

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{FieldError, Json, Unstructured, json, validation};

use super::catalog::Served;
use crate::custom::definition;

const IMMUTABLE: &str = "field is immutable";

static NULL: Json = Json::Null;

/// What is wrong with an object that is to be written.
pub(super) fn check(served: &Served, object: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if let Some(custom) = &served.custom {
        return custom.check(object, None);
    }
    match served.at() {
        ("apiextensions.k8s.io", "customresourcedefinitions") => return definition::check(object, None),
        ("", "pods") => pod_spec(at(object, "spec"), "spec", &mut errors),
        ("", "configmaps") => config_map(object, &mut errors),
        ("", "secrets") => secret(object, &mut errors),
        ("", "services") => service(at(object, "spec"), &mut errors),
        ("apps", "deployments" | "replicasets" | "statefulsets" | "daemonsets") => {
            workload(served, at(object, "spec"), &mut errors);
        }
        _ => {}
    }
    errors
}

/// What is wrong with a change of an object.
pub(super) fn check_update(served: &Served, new: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut immutable = |path: &[&str]| {
        let of = |object: &Unstructured| object.nested(path).ok().flatten().cloned().unwrap_or_default();
        let (new, old) = (of(new), of(old));
        if new != old {
            errors.push(FieldError::invalid_json(path.join("."), new.to_string(), IMMUTABLE));
        }
    };
    match served.at() {
        ("apps", "deployments" | "replicasets" | "daemonsets") => immutable(&["spec", "selector"]),
        ("apps", "statefulsets") => {
            for field in ["serviceName", "podManagementPolicy", "selector"] {
                immutable(&["spec", field]);
            }
        }
        ("", "secrets") => {
            immutable(&["type"]);
            frozen(new, old, &["data"], &mut errors);
        }
        ("", "configmaps") => frozen(new, old, &["data", "binaryData"], &mut errors),
        ("", "pods") => pod_update(new, old, &mut errors),
        _ => {}
    }
    errors
}

fn workload(served: &Served, spec: &Json, errors: &mut Vec<FieldError>) {
    let template = &spec["template"];
    if spec["replicas"].as_i64().is_some_and(|replicas| replicas < 0) {
        let why = "must be greater than or equal to 0";
        if served.info.plural != "daemonsets" {
            errors.push(FieldError::invalid_json("spec.replicas", spec["replicas"].to_string(), why));
        }
    }
    let selector = match &spec["selector"] {
        Json::Null => {
            if served.info.plural != "daemonsets" {
                errors.push(FieldError::required("spec.selector", ""));
            }
            None
        }
        selector if is_empty(selector) => {
            // The real server's word for a replica set is that of a deployment.
            let kind = match served.info.plural.as_str() {
                "statefulsets" => "statefulset",
                "daemonsets" => "daemonset",
                _ => "deployment",
            };
            let why = format!("empty selector is invalid for {kind}");
            errors.push(FieldError::invalid_json("spec.selector", "{}", why));
            Some(Selector::everything())
        }
        selector => parsed(selector),
    };
    let labels = &template["metadata"]["labels"];
    let lookup = labels::from_fn(|key| labels.get(key).and_then(Json::as_str));
    if !selector.is_some_and(|selector| selector.matches(&lookup)) {
        let why = "`selector` does not match template `labels`";
        errors.push(FieldError::invalid_json("spec.template.metadata.labels", labels.to_string(), why));
    }
    pod_spec(&template["spec"], "spec.template.spec", errors);
    let policy = template["spec"]["restartPolicy"].as_str().unwrap_or("Always");
    if ["OnFailure", "Never"].contains(&policy) {
        errors.push(FieldError::not_supported("spec.template.spec.restartPolicy", policy, &["Always"]));
    }
}

fn parsed(selector: &Json) -> Option<Selector> {
    let pairs = selector["matchLabels"].as_map().into_iter().flatten();
    let pairs = pairs.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()));
    let expressions = list(&selector["matchExpressions"]).filter_map(|expression| {
        let values: Vec<&str> = list(&expression["values"]).filter_map(Json::as_str).collect();
        Some((expression["key"].as_str()?, expression["operator"].as_str()?, values))
    });
    Selector::from_label_selector(pairs, expressions).ok()
}

fn pod_spec(spec: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let mut volumes = HashSet::new();
    for (index, volume) in list(&spec["volumes"]).enumerate() {
        unique_label(&volume["name"], &format!("{path}.volumes[{index}].name"), &mut volumes, errors);
    }
    if list(&spec["containers"]).next().is_none() {
        errors.push(FieldError::required(format!("{path}.containers"), ""));
    }
    let mut names = HashSet::new();
    for kind in ["containers", "initContainers"] {
        for (index, container) in list(&spec[kind]).enumerate() {
            let path = format!("{path}.{kind}[{index}]");
            unique_label(&container["name"], &format!("{path}.name"), &mut names, errors);
            self::container(container, &path, &volumes, errors);
        }
    }
    one_of(spec, path, "restartPolicy", &["Always", "OnFailure", "Never"], errors);
    one_of(spec, path, "dnsPolicy", &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"], errors);
}

fn container(container: &Json, path: &str, volumes: &HashSet<String>, errors: &mut Vec<FieldError>) {
    let image = container["image"].as_str().unwrap_or_default();
    if image.is_empty() {
        errors.push(FieldError::required(format!("{path}.image"), ""));
    } else if image.trim() != image {
        let why = "must not have leading or trailing whitespace";
        errors.push(FieldError::invalid(format!("{path}.image"), image, why));
    }
    for (index, port) in list(&container["ports"]).enumerate() {
        let field = format!("{path}.ports[{index}].containerPort");
        match port["containerPort"].as_i64().unwrap_or(0) {
            0 => errors.push(FieldError::required(field, "")),
            number => port_number(number, &field, errors),
        }
    }
    for (index, variable) in list(&container["env"]).enumerate() {
        let field = format!("{path}.env[{index}].name");
        match variable["name"].as_str().unwrap_or_default() {
            "" => errors.push(FieldError::required(field, "")),
            name => invalid(&field, name, validation::relaxed_env_var_name(name), errors),
        }
    }
    for (index, mount) in list(&container["volumeMounts"]).enumerate() {
        let path = format!("{path}.volumeMounts[{index}]");
        match mount["name"].as_str().unwrap_or_default() {
            "" => errors.push(FieldError::required(format!("{path}.name"), "")),
            name if !volumes.contains(name) => {
                errors.push(FieldError::not_found(format!("{path}.name"), name));
            }
            _ => {}
        }
        if mount["mountPath"].as_str().unwrap_or_default().is_empty() {
            errors.push(FieldError::required(format!("{path}.mountPath"), ""));
        }
    }
    one_of(container, path, "imagePullPolicy", &["Always", "IfNotPresent", "Never"], errors);
}

fn pod_update(new: &Unstructured, old: &Unstructured, errors: &mut Vec<FieldError>) {
    // What may change is taken out on both sides.
    let fixed = |object: &Unstructured| {
        let mut spec = at(object, "spec").clone();
        for field in ["activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"] {
            spec.remove(&[field]);
        }
        for kind in ["containers", "initContainers", "ephemeralContainers"] {
            let containers = spec.path_mut(&[kind]).and_then(Json::as_list_mut);
            for container in containers.into_iter().flat_map(client_rs_machinery::List::make_mut) {
                container.remove(&["image"]);
            }
        }
        spec
    };
    let tolerations =
        |object: &Unstructured| list(&at(object, "spec")["tolerations"]).cloned().collect::<Vec<_>>();
    let kept = tolerations(new);
    let fewer = tolerations(old).iter().any(|toleration| !kept.contains(toleration));
    if fixed(new) != fixed(old) || fewer {
        let why = "pod updates may not change fields other than `spec.containers[*].image`,\
                   `spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to \
                   existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was \
                   previously negative)";
        errors.push(FieldError::forbidden("spec", why));
    }
}

fn config_map(object: &Unstructured, errors: &mut Vec<FieldError>) {
    let (data, binary) = (at(object, "data"), at(object, "binaryData"));
    for (field, map) in [("data", data), ("binaryData", binary)] {
        for (key, _) in map.as_map().into_iter().flatten() {
            let path = format!("{field}[{key}]");
            invalid(&path, key, validation::config_map_key(key), errors);
            if field == "data" && binary.get(key.as_str()).is_some() {
                errors.push(FieldError::invalid(path, key, "duplicate of key present in binaryData"));
            }
        }
    }
}

fn secret(object: &Unstructured, errors: &mut Vec<FieldError>) {
    let data = at(object, "data");
    for (key, _) in data.as_map().into_iter().flatten() {
        invalid(&format!("data[{key}]"), key, validation::config_map_key(key), errors);
    }
    let required: &[&str] = match at(object, "type").as_str().unwrap_or_default() {
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        _ => &[],
    };
    for key in required.iter().filter(|key| data.get(**key).is_none()) {
        errors.push(FieldError::required(format!("data[{key}]"), ""));
    }
}

fn service(spec: &Json, errors: &mut Vec<FieldError>) {
    let kind = spec["type"].as_str().unwrap_or_default();
    let headless = spec["clusterIP"] == json!("None");
    let ports: Vec<&Json> = list(&spec["ports"]).collect();
    if ports.is_empty() && !headless && kind != "ExternalName" {
        errors.push(FieldError::required("spec.ports", ""));
    }
    let mut names = HashSet::new();
    for (index, port) in ports.iter().enumerate() {
        let path = format!("spec.ports[{index}]");
        if ports.len() > 1 || !is_empty(&port["name"]) {
            unique_label(&port["name"], &format!("{path}.name"), &mut names, errors);
        }
        port_number(port["port"].as_i64().unwrap_or(0), &format!("{path}.port"), errors);
        if let Some(number) = port["targetPort"].as_i64() {
            port_number(number, &format!("{path}.targetPort"), errors);
        }
    }
    one_of(spec, "spec", "type", &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"], errors);
}

/// What has been declared immutable stays, and so does the declaration.
fn frozen(new: &Unstructured, old: &Unstructured, fields: &[&str], errors: &mut Vec<FieldError>) {
    let is = |object: &Unstructured| at(object, "immutable").as_bool() == Some(true);
    if !is(old) {
        return;
    }
    let why = "field is immutable when `immutable` is set";
    if !is(new) {
        errors.push(FieldError::forbidden("immutable", why));
    }
    for field in fields {
        if at(new, field) != at(old, field) {
            errors.push(FieldError::forbidden(*field, why));
        }
    }
}

/// A name that must be there, be a label, and be no other's.
fn unique_label(name: &Json, path: &str, seen: &mut HashSet<String>, errors: &mut Vec<FieldError>) {
    let name = name.as_str().unwrap_or_default();
    if name.is_empty() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    invalid(path, name, validation::dns1123_label(name), errors);
    if !seen.insert(name.to_owned()) {
        errors.push(FieldError::duplicate(path, name));
    }
}

fn one_of(holder: &Json, path: &str, field: &str, supported: &[&str], errors: &mut Vec<FieldError>) {
    if let Some(value) = holder[field].as_str().filter(|value| !supported.contains(value)) {
        errors.push(FieldError::not_supported(format!("{path}.{field}"), value, supported));
    }
}

fn port_number(number: i64, path: &str, errors: &mut Vec<FieldError>) {
    for why in validation::port_number(number).err().into_iter().flatten() {
        errors.push(FieldError::invalid_json(path, number.to_string(), why.to_string()));
    }
}

fn invalid(path: &str, value: &str, checked: validation::Result, errors: &mut Vec<FieldError>) {
    let violations = checked.err().into_iter().flatten();
    errors.extend(violations.map(|why| FieldError::invalid(path, value, why.to_string())));
}

fn at<'o>(object: &'o Unstructured, field: &str) -> &'o Json {
    object.object.get(field).unwrap_or(&NULL)
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Str(text) => text.is_empty(),
        Json::Map(map) => map.is_empty(),
        Json::List(list) => list.is_empty(),
        _ => false,
    }
}
