//! Namespaces, nodes, config maps, secrets, limits and quotas.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{FieldError, Json, Quantity, Unstructured, json, validation};

use super::common::{CIDR, Errors, at, cidr, invalid, is_empty, list, one_of, quantity, text, wrong};

/// Finalizers that need no domain.
const STANDARD_FINALIZERS: &[&str] = &["kubernetes", "orphan", "foregroundDeletion"];

pub(super) fn namespace(spec: &Json, errors: &mut Errors) {
    for finalizer in list(&spec["finalizers"]).map(text) {
        invalid("spec.finalizers", finalizer, validation::qualified_name(finalizer), errors);
        if !finalizer.contains('/') && !STANDARD_FINALIZERS.contains(&finalizer) {
            let why = "name is neither a standard finalizer name nor is it fully qualified";
            errors.push(FieldError::invalid("spec.finalizers", finalizer, why));
        }
    }
}

pub(super) fn node(spec: &Json, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (index, taint) in list(&spec["taints"]).enumerate() {
        let path = format!("metadata.taints[{index}]");
        let (key, value, effect) = (text(&taint["key"]), text(&taint["value"]), text(&taint["effect"]));
        invalid(&format!("{path}.key"), key, validation::qualified_name(key), errors);
        invalid(&format!("{path}.value"), value, validation::label_value(value), errors);
        if effect.is_empty() {
            errors.push(FieldError::required(format!("{path}.effect"), ""));
        }
        if !effect.is_empty() {
            one_of(taint, &path, "effect", &["NoSchedule", "PreferNoSchedule", "NoExecute"], errors);
        }
        if !seen.insert((key, effect)) {
            let taint = json!({"Key": key, "Value": value, "Effect": effect, "TimeAdded": null});
            let shown = format!(
                "{{\"Key\":{},\"Value\":{},\"Effect\":{},\"TimeAdded\":null}}: taints must be unique by key and effect pair",
                taint["Key"], taint["Value"], taint["Effect"]
            );
            errors.push(FieldError::duplicate_json(path, shown));
        }
    }
    let ranges: Vec<&str> = list(&spec["podCIDRs"]).map(text).collect();
    for (index, range) in ranges.iter().enumerate() {
        if cidr(range).is_none() {
            errors.push(FieldError::invalid(format!("spec.podCIDRs[{index}]"), range, CIDR));
        }
    }
    let families: Vec<bool> = ranges.iter().filter_map(|range| Some(cidr(range)?.0.is_ipv4())).collect();
    let one_each = families.len() < 2 || (families.len() == 2 && families[0] != families[1]);
    if ranges.len() > 1 && !one_each {
        let why = "may specify no more than one CIDR for each IP family";
        wrong("spec.podCIDRs", &spec["podCIDRs"], why, errors);
    }
}

pub(super) fn node_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    for (field, why) in [
        ("podCIDRs", "node updates may not change podCIDR except from \"\" to valid"),
        ("providerID", "node updates may not change providerID except from \"\" to valid"),
    ] {
        if !is_empty(&old[field]) && new[field] != old[field] {
            errors.push(FieldError::forbidden(format!("spec.{field}"), why));
        }
    }
}

pub(super) fn config_map(object: &Unstructured, errors: &mut Errors) {
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

pub(super) fn secret(object: &Unstructured, errors: &mut Errors) {
    const ACCOUNT: &str = "kubernetes.io/service-account.name";
    let data = at(object, "data");
    for (key, _) in data.as_map().into_iter().flatten() {
        invalid(&format!("data[{key}]"), key, validation::config_map_key(key), errors);
    }
    let missing = |key: &str| data.get(key).is_none();
    let require = |keys: &[&str], errors: &mut Errors| {
        for key in keys.iter().filter(|key| missing(key)) {
            errors.push(FieldError::required(format!("data[{key}]"), ""));
        }
    };
    match text(at(object, "type")) {
        "kubernetes.io/tls" => require(&["tls.crt", "tls.key"], errors),
        "kubernetes.io/ssh-auth" => require(&["ssh-privatekey"], errors),
        "kubernetes.io/basic-auth" if missing("username") && missing("password") => {
            require(&["username", "password"], errors);
        }
        "kubernetes.io/dockerconfigjson" => docker(data, ".dockerconfigjson", errors),
        "kubernetes.io/dockercfg" => docker(data, ".dockercfg", errors),
        "kubernetes.io/service-account-token"
            if object.annotation(ACCOUNT).unwrap_or_default().is_empty() =>
        {
            errors.push(FieldError::required(format!("metadata.annotations[{ACCOUNT}]"), ""));
        }
        _ => {}
    }
}

/// Credentials for registries, which are JSON inside.
fn docker(data: &Json, key: &str, errors: &mut Errors) {
    let path = format!("data[{key}]");
    let Some(content) = data.get(key) else {
        errors.push(FieldError::required(path, ""));
        return;
    };
    let content = STANDARD.decode(text(content)).unwrap_or_default();
    if Json::parse(&content).is_err() {
        let why = match content.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(byte) => {
                format!("invalid character '{}' looking for beginning of value", byte.escape_ascii())
            }
            None => "unexpected end of JSON input".to_owned(),
        };
        errors.push(FieldError::invalid(path, "<secret contents redacted>", why));
    }
}

/// What has been declared immutable stays, and so does the declaration.
pub(super) fn frozen(new: &Unstructured, old: &Unstructured, fields: &[&str], errors: &mut Errors) {
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

pub(super) fn limit_range(spec: &Json, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (index, limit) in list(&spec["limits"]).enumerate() {
        let path = format!("spec.limits[{index}]");
        let kind = text(&limit["type"]);
        if !seen.insert(kind) {
            errors.push(FieldError::duplicate(format!("{path}.type"), kind));
        }
        if kind == "Pod" {
            for field in ["default", "defaultRequest"].iter().filter(|field| !is_empty(&limit[**field])) {
                let why = "may not be specified when `type` is 'Pod'";
                errors.push(FieldError::forbidden(format!("{path}.{field}"), why));
            }
        }
        let names: std::collections::BTreeSet<&str> = ["min", "max", "default", "defaultRequest"]
            .iter()
            .flat_map(|field| limit[*field].as_map().into_iter().flatten().map(|(name, _)| name.as_str()))
            .collect();
        for name in names {
            amounts(limit, &path, name, errors);
        }
    }
}

/// The amounts of one resource, each of which has its place among the others.
fn amounts(limit: &Json, path: &str, name: &str, errors: &mut Errors) {
    let of = |field: &str| -> Option<Quantity> { quantity(limit[field].get(name)?) };
    let mut above = |low: (&str, &str), high: (&str, &str), at: &str, shown: &str| {
        let (Some(least), Some(most)) = (of(low.0), of(high.0)) else { return };
        if least > most {
            let why = format!("{} value {least} is greater than {} value {most}", low.1, high.1);
            let value = of(shown).map(|value| value.to_string()).unwrap_or_default();
            errors.push(FieldError::invalid(format!("{path}.{at}[{name}]"), &value, why));
        }
    };
    above(("min", "min"), ("max", "max"), "min", "min");
    above(("min", "min"), ("defaultRequest", "default request"), "defaultRequest", "defaultRequest");
    above(("defaultRequest", "default request"), ("max", "max"), "defaultRequest", "defaultRequest");
    above(("defaultRequest", "default request"), ("default", "default"), "defaultRequest", "defaultRequest");
    above(("min", "min"), ("default", "default"), "default", "min");
    above(("default", "default"), ("max", "max"), "default", "default");
}

pub(super) fn resource_quota(spec: &Json, errors: &mut Errors) {
    const STANDARD: &[&str] = &[
        "cpu",
        "memory",
        "ephemeral-storage",
        "requests.cpu",
        "requests.memory",
        "requests.storage",
        "requests.ephemeral-storage",
        "limits.cpu",
        "limits.memory",
        "limits.ephemeral-storage",
        "pods",
        "services",
        "replicationcontrollers",
        "resourcequotas",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    ];
    const SCOPES: &[&str] = &[
        "BestEffort",
        "CrossNamespacePodAffinity",
        "NotBestEffort",
        "NotTerminating",
        "PriorityClass",
        "Terminating",
        "VolumeAttributesClass",
    ];
    for (name, amount) in spec["hard"].as_map().into_iter().flatten() {
        let path = format!("spec.hard[{name}]");
        invalid(&path, name, validation::qualified_name(name), errors);
        if !name.contains('/') && !STANDARD.contains(&name.as_str()) {
            for what in ["resource type or fully qualified", "resource for quota"] {
                errors.push(FieldError::invalid(path.as_str(), name, format!("must be a standard {what}")));
            }
        }
        if quantity(amount).is_some_and(|amount| amount < Quantity::default()) {
            errors.push(FieldError::invalid(path, text(amount), super::common::NOT_NEGATIVE));
        }
    }
    if list(&spec["scopes"]).any(|scope| !SCOPES.contains(&text(scope))) {
        wrong("spec.scopes", &spec["scopes"], "unsupported scope", errors);
    }
}
