//! The status of a pod.

use std::collections::HashSet;
use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Time, Unstructured, json, validation};

use crate::kinds::rules::{Errors, StatusRules};
use crate::kinds::shared::checks::{IMMUTABLE, IP, at, invalid, list, text, wrong};
use crate::kinds::shared::fields::{copy, present};

pub(super) const STATUS: StatusRules = StatusRules {
    resets: &[&["spec"], &["metadata", "deletionTimestamp"], &["metadata", "ownerReferences"]],
    prepare,
    validate,
    ..StatusRules::DEFAULT
};

fn prepare(new: &mut Unstructured, old: &Unstructured, _: Time) {
    copy(new, old, &["metadata", "ownerReferences"]);
    new.set_deletion_timestamp(None);
    if present(new, &["status", "qosClass"]).is_none() {
        copy(new, old, &["status", "qosClass"]);
    }
    // The first of the addresses has a field of its own, which wins.
    let status = at(new, "status");
    let (one, first) = (text(&status["podIP"]), text(&status["podIPs"][0]["ip"]));
    if !one.is_empty() && one != first {
        let all = json!([{"ip": one}]);
        drop(new.set_nested(&["status", "podIPs"], all));
    } else if one.is_empty() && !first.is_empty() {
        let first = first.to_owned();
        drop(new.set_nested(&["status", "podIP"], first));
    }
}

fn validate(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (spec, was) = (at(new, "spec"), at(old, "status"));
    let status = at(new, "status");
    for (index, condition) in list(&status["conditions"]).enumerate() {
        let (path, kind) = (format!("status.conditions[{index}]"), text(&condition["type"]));
        generation(condition, &path, errors);
        if !["PodScheduled", "Ready", "Initialized"].contains(&kind) {
            invalid(&format!("{path}.Type"), kind, validation::qualified_name(kind), errors);
        }
    }
    let node = text(&status["nominatedNodeName"]);
    if !node.is_empty() && node != text(&was["nominatedNodeName"]) {
        let path = "status.nominatedNodeName";
        invalid(path, node, validation::dns1123_subdomain(node), errors);
        if !text(&at(old, "spec")["nodeName"]).is_empty() {
            let why = "may not be set on pods that are already bound to a node";
            errors.push(FieldError::forbidden(path, why));
        }
    }
    generation(status, "status", errors);
    if status["qosClass"] != was["qosClass"] {
        wrong("status.qosClass", &status["qosClass"], IMMUTABLE, errors);
    }
    ended(spec, status, was, errors);
    claims(spec, status, errors);
    addresses("podIPs", status, was, errors);
    if status["hostIPs"][0]["ip"].as_str().is_some_and(|first| first != text(&status["hostIP"])) {
        let first = text(&status["hostIPs"][0]["ip"]);
        errors.push(FieldError::invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`"));
    }
    addresses("hostIPs", status, was, errors);
}

fn generation(holder: &Json, path: &str, errors: &mut Errors) {
    let value = &holder["observedGeneration"];
    if value.as_i64().is_some_and(|number| number < 0) {
        wrong(format!("{path}.observedGeneration"), value, "must be a non-negative integer", errors);
    }
}

/// A container that has ended runs again only if its policy says so.
fn ended(spec: &Json, new: &Json, old: &Json, errors: &mut Errors) {
    // A rule of any container may restart them all.
    let containers = ["containers", "initContainers"].iter().flat_map(|kind| list(&spec[*kind]));
    let mut rules = containers.flat_map(|one| list(&one["restartPolicyRules"]));
    if rules.any(|rule| text(&rule["action"]) == "RestartAllContainers") {
        return;
    }
    for (index, before) in list(&old["containerStatuses"]).enumerate() {
        let end = &before["state"]["terminated"];
        let same = |one: &&Json| one["name"] == before["name"];
        let now = list(&new["containerStatuses"]).find(same);
        if end.is_null() || now.is_none_or(|now| !now["state"]["terminated"].is_null()) {
            continue;
        }
        let container = list(&spec["containers"]).find(same);
        if !container.is_some_and(|one| restarts(spec, one, end["exitCode"].as_i64().unwrap_or(0))) {
            let path = format!("status.containerStatuses[{index}].state");
            errors.push(FieldError::forbidden(path, "may not be transitioned to non-terminated state"));
        }
    }
}

/// Whether a container is started again after it has ended.
fn restarts(spec: &Json, container: &Json, code: i64) -> bool {
    let fits = |rule: &Json| {
        let codes = &rule["exitCodes"];
        let listed = list(&codes["values"]).any(|one| one.as_i64() == Some(code));
        listed == (text(&codes["operator"]) == "In") && !codes.is_null()
    };
    let policy = match text(&container["restartPolicy"]) {
        "" => text(&spec["restartPolicy"]),
        _ if list(&container["restartPolicyRules"]).any(fits) => return true,
        own => own,
    };
    match policy {
        "Never" => false,
        "OnFailure" => code != 0,
        _ => true,
    }
}

fn claims(spec: &Json, status: &Json, errors: &mut Errors) {
    let known: HashSet<&str> = list(&spec["resourceClaims"]).map(|claim| text(&claim["name"])).collect();
    let mut seen = HashSet::new();
    for (index, claim) in list(&status["resourceClaimStatuses"]).enumerate() {
        let (path, name) = (format!("status.resourceClaimStatuses[{index}]"), text(&claim["name"]));
        if !known.contains(name) {
            let why = "must match the name of an entry in `spec.resourceClaims`";
            errors.push(FieldError::invalid(format!("{path}.name"), name, why));
        }
        if !seen.insert(name) {
            errors.push(FieldError::duplicate(format!("{path}.name"), name));
        }
        if let Some(name) = claim["resourceClaimName"].as_str() {
            let path = format!("{path}.resourceClaimName");
            invalid(&path, name, validation::dns1123_subdomain(name), errors);
        }
    }
}

/// At most one address of each family. Addresses that were there before stay.
fn addresses(field: &str, status: &Json, old: &Json, errors: &mut Errors) {
    let all = || list(&status[field]).map(|one| text(&one["ip"]));
    for (index, address) in all().enumerate() {
        let kept = list(&old[field]).any(|one| text(&one["ip"]) == address);
        if !kept && address.parse::<IpAddr>().is_err() {
            errors.push(FieldError::invalid(format!("status.{field}[{index}]"), address, IP));
        }
    }
    let families: Vec<bool> =
        all().filter_map(|one| one.parse().ok()).map(|one: IpAddr| one.is_ipv4()).collect();
    if all().count() > 1 && !matches!(families[..], [true, false] | [false, true]) {
        let why = "may specify no more than one IP for each IP family";
        // The real server shows its own type.
        let shown: Vec<String> =
            list(&status[field]).map(|one| format!("{{\"IP\":{}}}", one["ip"])).collect();
        let shown = format!("[{}]", shown.join(","));
        errors.push(FieldError::invalid_json(format!("status.{field}"), shown, why));
    }
}
