//! `Node`.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Map, Quantity, Time, Unstructured, json, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{ConnectTo, Errors, KindRules, SelectableField, StatusRules, Subresource};
use crate::kinds::shared::checks::{
    CIDR, NOT_NEGATIVE, at, cidr, invalid, is_empty, list, one_of, quantity, text, wrong,
};

pub(super) const RULES: KindRules = KindRules {
    plural: "nodes",
    status: StatusRules { kept_on_create: true, validate: validate_update, ..StatusRules::DEFAULT },
    fields: &[SelectableField::boolean("spec.unschedulable", &["spec", "unschedulable"])],
    own_labels: true,
    columns: Some(COLUMNS),
    binds_tokens: true,
    subresources: &[Subresource::connect("proxy", Some("NodeProxyOptions"), ConnectTo::Node)],
    defaults,
    prepare_create,
    prepare_update: |new, _| same_ranges(new),
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Status", "Readiness of the node, and whether it is schedulable.", |object, _| {
        let ready = columns::list(columns::at(object, &["status", "conditions"]))
            .find(|condition| condition["type"] == json!("Ready"));
        let status = match ready {
            Some(condition) if condition["status"] == json!("True") => "Ready",
            Some(_) => "NotReady",
            None => "Unknown",
        };
        let cordoned = columns::at(object, &["spec", "unschedulable"]) == &json!(true);
        if cordoned { format!("{status},SchedulingDisabled").into() } else { status.into() }
    }),
    columns::text("Roles", "Roles of the node.", |object, _| {
        let labels = object.labels();
        let mut roles: Vec<&str> = labels
            .filter_map(|(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
                None if key == "kubernetes.io/role" => Some(value),
                role => role,
            })
            .filter(|role| !role.is_empty())
            .collect();
        roles.sort_unstable();
        roles.dedup();
        if roles.is_empty() { "<none>".into() } else { roles.join(",").into() }
    }),
    columns::AGE,
    columns::text("Version", "Version of the kubelet.", |object, _| {
        columns::or_empty(columns::at(object, &["status", "nodeInfo", "kubeletVersion"]))
    }),
    columns::wide(columns::text("Internal-IP", "Address within the cluster.", |object, _| {
        address(object, "InternalIP")
    })),
    columns::wide(columns::text(
        "External-IP",
        "Address for clients outside of the cluster.",
        |object, _| address(object, "ExternalIP"),
    )),
    columns::wide(columns::text("OS-Image", "Operating system.", |object, _| {
        or_unknown(&columns::at(object, &["status", "nodeInfo"])["osImage"]).into()
    })),
    columns::wide(columns::text("Kernel-Version", "Kernel and architecture.", |object, _| {
        let info = columns::at(object, &["status", "nodeInfo"]);
        match text(&info["architecture"]) {
            "" => or_unknown(&info["kernelVersion"]).into(),
            architecture => format!("{} ({architecture})", or_unknown(&info["kernelVersion"])).into(),
        }
    })),
    columns::wide(columns::text("Container-Runtime", "Container runtime and its version.", |object, _| {
        or_unknown(&columns::at(object, &["status", "nodeInfo"])["containerRuntimeVersion"]).into()
    })),
];

/// The first address of a kind.
fn address(object: &Unstructured, kind: &str) -> Json {
    let mut all = columns::list(columns::at(object, &["status", "addresses"]));
    let found = all.find(|one| text(&one["type"]) == kind);
    found.map_or_else(|| "<none>".into(), |one| text(&one["address"]).into())
}

fn or_unknown(value: &Json) -> &str {
    Some(text(value)).filter(|text| !text.is_empty()).unwrap_or("<unknown>")
}

/// Pods may use the whole capacity, unless the node says less.
fn defaults(object: &mut Map<Json>) {
    let Some(status) = object.get_mut("status").and_then(Json::as_map_mut) else { return };
    let capacity = status.get("capacity").filter(|capacity| !capacity.is_null()).cloned();
    if let Some(capacity) = capacity.filter(|_| status.get("allocatable").is_none_or(Json::is_null)) {
        status.insert("allocatable", capacity);
    }
}

/// Taints a new node, so that no pods are scheduled until it is ready.
fn prepare_create(object: &mut Unstructured, _: Time) {
    same_ranges(object);
    let not_ready = json!({"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"});
    let taints = object.nested_slice(&["spec", "taints"]).ok().flatten().unwrap_or_default();
    if !taints.iter().any(|taint| taint["key"] == not_ready["key"]) {
        let all: Vec<Json> = taints.iter().cloned().chain([not_ready]).collect();
        drop(object.set_nested(&["spec", "taints"], Json::from(all)));
    }
}

/// The first range of pods has a field of its own, which wins.
fn same_ranges(node: &mut Unstructured) {
    let spec = at(node, "spec");
    let (one, first) = (text(&spec["podCIDR"]).to_owned(), text(&spec["podCIDRs"][0]).to_owned());
    if !one.is_empty() && one != first {
        drop(node.set_nested(&["spec", "podCIDRs"], json!([one])));
    } else if one.is_empty() && !first.is_empty() {
        drop(node.set_nested(&["spec", "podCIDR"], first));
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
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

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let status = at(new, "status");
    for field in ["capacity", "allocatable"] {
        for (name, amount) in status[field].as_map().into_iter().flatten() {
            if quantity(amount).is_some_and(|amount| amount < Quantity::default()) {
                let path = format!("status.{field}.{name}");
                errors.push(FieldError::invalid(path, text(amount), NOT_NEGATIVE));
            }
        }
    }
    let mut seen = HashSet::new();
    for (index, one) in list(&status["addresses"]).enumerate() {
        if !seen.insert((text(&one["type"]), text(&one["address"]))) {
            let shown = format!("{{\"Type\":{},\"Address\":{}}}", one["type"], one["address"]);
            errors.push(FieldError::duplicate_json(format!("status.addresses[{index}]"), shown));
        }
    }
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    if !is_empty(&old["podCIDRs"]) && new["podCIDRs"] != old["podCIDRs"] {
        let why = "node updates may not change podCIDR except from \"\" to valid";
        errors.push(FieldError::forbidden("spec.podCIDRs", why));
    }
    if !is_empty(&old["providerID"]) && new["providerID"] != old["providerID"] {
        let what = if is_empty(&new["providerID"]) { "cleared" } else { "modified" };
        let why = format!("field cannot be {what} once set");
        wrong("spec.providerID", &Json::Null, &why, errors);
    }
}
