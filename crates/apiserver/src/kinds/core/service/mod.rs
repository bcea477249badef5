//! `Service`.

mod allocation;
mod quota;

use std::collections::HashSet;
use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, json, validation};

use super::PROTOCOLS;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{
    ConnectTo, DeleteRules, Errors, FollowUp, KindRules, NameRule, QuotaRules, SelectableField, StatusRules,
    Subresource,
};
use crate::kinds::shared::checks::{
    IP, at, endpoint_address, invalid, is_empty, labels, list, one_of, port, port_number, text, unique_label,
    wrong,
};
use crate::kinds::shared::defaulting::{default, is, items, within};
use crate::kinds::shared::fields::present;
use crate::kinds::shared::load_balancer;

pub(super) const RULES: KindRules = KindRules {
    plural: "services",
    name: NameRule::Label,
    create_on_update: true,
    delete: DeleteRules::RETURNS_OBJECT,
    fields: &[
        SelectableField::text("spec.clusterIP", &["spec", "clusterIP"]),
        SelectableField::text("spec.type", &["spec", "type"]),
    ],
    own_labels: true,
    columns: Some(COLUMNS),
    subresources: &[Subresource::connect("proxy", Some("ServiceProxyOptions"), ConnectTo::Service)],
    quota: QuotaRules::charges(&quota::CHARGES),
    status: StatusRules { validate: validate_status, ..StatusRules::DEFAULT },
    defaults,
    prepare_update,
    validate,
    validate_create,
    validate_update,
    follow_up: Some(FollowUp::ServiceAddresses),
    allocate: Some(allocation::allocate),
    ..super::SHARED
};

fn validate_status(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let any = !is_empty(&at(new, "status")["loadBalancer"]["ingress"]);
    if any && text(&at(new, "spec")["type"]) != "LoadBalancer" {
        let why = "may only be used when `spec.type` is 'LoadBalancer'";
        errors.push(FieldError::forbidden("status.loadBalancer.ingress", why));
    } else {
        load_balancer::check(new, old, true, errors);
    }
}

/// The longest session affinity, in seconds.
const AFFINITY_MAX: i64 = 86_400;

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Type", "Type of the service.", |object, _| columns::at(object, &["spec", "type"]).clone()),
    columns::text("Cluster-IP", "IP address inside the cluster.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "clusterIP"]))
    }),
    columns::text("External-IP", "Addresses outside of the cluster.", |object, _| {
        let external = columns::list(columns::at(object, &["spec", "externalIPs"])).filter_map(Json::as_str);
        let ingress = columns::list(columns::at(object, &["status", "loadBalancer", "ingress"]));
        let mut addresses: Vec<&str> =
            ingress.filter_map(|entry| entry["ip"].as_str().or(entry["hostname"].as_str())).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let (balanced, without) = match columns::at(object, &["spec", "type"]).as_str() {
            Some("ExternalName") => return columns::at(object, &["spec", "externalName"]).clone(),
            Some("LoadBalancer") => (addresses, "<pending>"),
            _ => (Vec::new(), "<none>"),
        };
        let all: Vec<&str> = balanced.into_iter().chain(external).collect();
        if all.is_empty() { without.into() } else { all.join(",").into() }
    }),
    columns::text("Port(s)", "Its ports.", |object, _| {
        let ports: Vec<String> = columns::list(columns::at(object, &["spec", "ports"]))
            .map(|port| {
                let node = port["nodePort"].as_i64().map(|node| format!(":{node}")).unwrap_or_default();
                format!("{}{node}/{}", port["port"], port["protocol"].as_str().unwrap_or("TCP"))
            })
            .collect();
        if ports.is_empty() { "<none>".into() } else { ports.join(",").into() }
    }),
    columns::AGE,
    columns::wide(columns::text("Selector", "Label selector of the pods.", |object, _| {
        columns::pairs(columns::at(object, &["spec", "selector"]))
    })),
];

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "sessionAffinity", "None");
    if is(spec, "sessionAffinity", "ClientIP") {
        let config = within(within(spec, "sessionAffinityConfig"), "clientIP");
        default(config, "timeoutSeconds", 10_800);
    }
    default(spec, "type", "ClusterIP");
    for port in items(spec, "ports") {
        default(port, "protocol", "TCP");
        let number = port.get("port").cloned().unwrap_or_default();
        // The type encodes a missing port as 0.
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
        for ingress in balancer.into_iter().flat_map(|balancer| items(balancer, "ingress")) {
            if !is(ingress, "ip", "") && ingress.get("ip").is_some() {
                default(ingress, "ipMode", "VIP");
            }
        }
    }
}

fn prepare_update(new: &mut Unstructured, old: &Unstructured) {
    drop_node_ports(new, old);
    if present(new, &["spec", "type"]) == Some(&json!("ExternalName")) {
        for field in ["ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"] {
            drop(new.remove_nested(&["spec", field]));
        }
        for field in ["clusterIP", "clusterIPs"] {
            if present(new, &["spec", field]) == present(old, &["spec", field]) {
                drop(new.remove_nested(&["spec", field]));
            }
        }
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let kind = text(&spec["type"]);
    let headless = spec["clusterIP"] == json!("None");
    let ports: Vec<&Json> = list(&spec["ports"]).collect();
    if ports.is_empty() && !headless && kind != "ExternalName" {
        errors.push(FieldError::required("spec.ports", ""));
    }
    if kind == "ExternalName" {
        let name = text(&spec["externalName"]).trim_end_matches('.');
        if name.is_empty() {
            errors.push(FieldError::required("spec.externalName", ""));
        } else {
            invalid("spec.externalName", name, validation::dns1123_subdomain(name), errors);
        }
    }
    let mut names = HashSet::new();
    for (index, one) in ports.iter().enumerate() {
        let path = format!("spec.ports[{index}]");
        if ports.len() > 1 || !is_empty(&one["name"]) {
            unique_label(&one["name"], &format!("{path}.name"), &mut names, errors);
        }
        port_number(one["port"].as_i64().unwrap_or(0), &format!("{path}.port"), errors);
        one_of(one, &path, "protocol", PROTOCOLS, errors);
        if !one["targetPort"].is_null() {
            port(&one["targetPort"], &format!("{path}.targetPort"), errors);
        }
        let protocol = text(&one["appProtocol"]);
        if !protocol.is_empty() {
            invalid(&format!("{path}.appProtocol"), protocol, validation::qualified_name(protocol), errors);
        }
    }
    labels(&spec["selector"], "spec.selector", errors);
    one_of(spec, "spec", "sessionAffinity", &["ClientIP", "None"], errors);
    let timeout = &spec["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"];
    if timeout.as_i64().is_some_and(|seconds| !(1..=AFFINITY_MAX).contains(&seconds)) {
        let why = format!("must be greater than 0 and less than {AFFINITY_MAX}");
        wrong("spec.sessionAffinityConfig.clientIP.timeoutSeconds", timeout, &why, errors);
    }
    addresses(spec, errors);
    one_of(spec, "spec", "type", &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"], errors);
    by_type(spec, kind, &ports, errors);
    // Number and protocol identify a port.
    let mut seen = HashSet::new();
    for (index, one) in ports.iter().enumerate() {
        let (protocol, number) = (text(&one["protocol"]), one["port"].as_i64().unwrap_or(0));
        if !seen.insert((protocol, number)) {
            let shown = format!(
                "{{\"Name\":\"\",\"Protocol\":\"{protocol}\",\"AppProtocol\":null,\"Port\":{number},\"TargetPort\":0,\"NodePort\":0}}"
            );
            errors.push(FieldError::duplicate_json(format!("spec.ports[{index}]"), shown));
        }
    }
}

/// Drops the node ports that a service had when its new type does not use them.
fn drop_node_ports(new: &mut Unstructured, old: &Unstructured) {
    let uses =
        |object: &Unstructured| ["NodePort", "LoadBalancer"].contains(&text(&at(object, "spec")["type"]));
    if uses(new) || !uses(old) {
        return;
    }
    let before = at(old, "spec");
    let Some(spec) = new.object.get_mut("spec").and_then(Json::as_map_mut) else { return };
    let known = |number: &Json| list(&before["ports"]).any(|port| port["nodePort"] == *number);
    if let Some(ports) = spec.get_mut("ports").and_then(Json::as_list_mut) {
        for port in ports.make_mut().iter_mut().filter_map(Json::as_map_mut) {
            if port.get("nodePort").is_some_and(known) {
                port.remove("nodePort");
            }
        }
    }
    if spec.get("healthCheckNodePort") == before.get("healthCheckNodePort") {
        spec.remove("healthCheckNodePort");
    }
    if spec.get("externalTrafficPolicy") == before.get("externalTrafficPolicy") {
        spec.remove("externalTrafficPolicy");
    }
    if spec.get("allocateLoadBalancerNodePorts") == before.get("allocateLoadBalancerNodePorts") {
        spec.remove("allocateLoadBalancerNodePorts");
    }
}

/// Validates that both fields of the address agree. Updates keep the fields that they had.
fn validate_create(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let (single, many) = (text(&spec["clusterIP"]), &spec["clusterIPs"]);
    let Some(first) = list(many).next() else { return };
    if single.is_empty() {
        wrong("spec.clusterIPs", many, "must be empty when `clusterIP` is not specified", errors);
    } else if text(first) != single {
        wrong("spec.clusterIPs", many, "first value must match `clusterIP`", errors);
    }
}

fn addresses(spec: &Json, errors: &mut Errors) {
    let single = [&spec["clusterIP"]];
    let many: Vec<&Json> = list(&spec["clusterIPs"]).collect();
    let given = if many.is_empty() { &single[..] } else { &many[..] };
    for (index, address) in given.iter().map(|address| text(address)).enumerate() {
        if address.is_empty() {
            continue;
        }
        if address != "None" && address.parse::<IpAddr>().is_err() {
            errors.push(FieldError::invalid(format!("spec.clusterIPs[{index}]"), address, IP));
        }
    }
    for (index, family) in list(&spec["ipFamilies"]).map(text).enumerate() {
        if !["IPv4", "IPv6"].contains(&family) {
            let path = format!("spec.ipFamilies[{index}]");
            errors.push(FieldError::not_supported(path, family, &["IPv4", "IPv6"]));
        }
    }
    for (index, address) in list(&spec["externalIPs"]).map(text).enumerate() {
        let path = format!("spec.externalIPs[{index}]");
        match address.parse::<IpAddr>() {
            Err(_) => errors.push(FieldError::invalid(path, address, IP)),
            Ok(_) => endpoint_address(address, &path, errors),
        }
    }
}

/// Validates the fields that depend on the type.
fn by_type(spec: &Json, kind: &str, ports: &[&Json], errors: &mut Errors) {
    let forbidden =
        |path: &str, why: &str, errors: &mut Errors| errors.push(FieldError::forbidden(path, why));
    if kind == "ClusterIP" {
        for (index, _) in
            ports.iter().enumerate().filter(|(_, port)| port["nodePort"].as_i64().unwrap_or(0) != 0)
        {
            let path = format!("spec.ports[{index}].nodePort");
            forbidden(&path, "may not be used when `type` is 'ClusterIP'", errors);
        }
    }
    if kind != "LoadBalancer" {
        let why = "may only be used when `type` is 'LoadBalancer'";
        if !is_empty(&spec["loadBalancerSourceRanges"]) {
            forbidden("spec.LoadBalancerSourceRanges", why, errors);
        }
        for field in ["allocateLoadBalancerNodePorts", "loadBalancerClass"] {
            if !spec[field].is_null() {
                forbidden(&format!("spec.{field}"), why, errors);
            }
        }
    }
    one_of(spec, "spec", "internalTrafficPolicy", &["Cluster", "Local"], errors);
    let external = ["LoadBalancer", "NodePort"].contains(&kind)
        || (kind == "ClusterIP" && !is_empty(&spec["externalIPs"]));
    let policy = text(&spec["externalTrafficPolicy"]);
    if !external && !policy.is_empty() {
        let why = "may only be set for externally-accessible services";
        errors.push(FieldError::invalid("spec.externalTrafficPolicy", policy, why));
    } else if external && !policy.is_empty() {
        one_of(spec, "spec", "externalTrafficPolicy", &["Cluster", "Local"], errors);
    }
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    // A service may gain or lose its address when its type changes from or to `ExternalName`.
    if text(&new["type"]) == "ExternalName" || text(&old["type"]) == "ExternalName" {
        return;
    }
    let (mine, theirs) = (text(&new["clusterIPs"][0]), text(&old["clusterIPs"][0]));
    if !theirs.is_empty() && !mine.is_empty() && mine != theirs {
        wrong("spec.clusterIPs[0]", &new["clusterIPs"], "may not change once set", errors);
    }
}
