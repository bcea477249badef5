//! Services and what is behind them.

use std::collections::HashSet;
use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Unstructured, json, validation};

use super::common::{
    Errors, IP, at, endpoint_address, invalid, is_empty, labels, list, one_of, port, port_number, required,
    text, unique_label, wrong,
};

const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];
/// The longest that a client is kept with its server, in seconds.
const AFFINITY_MAX: i64 = 86_400;

pub(super) fn service(spec: &Json, errors: &mut Errors) {
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
    // A port is known by its number and protocol.
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

/// What only some types may say.
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

pub(super) fn update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    // A service without an address may be given one, and one that needs none may lose it.
    if text(&new["type"]) == "ExternalName" || text(&old["type"]) == "ExternalName" {
        return;
    }
    let (mine, theirs) = (text(&new["clusterIPs"][0]), text(&old["clusterIPs"][0]));
    if !theirs.is_empty() && !mine.is_empty() && mine != theirs {
        wrong("spec.clusterIPs[0]", &new["clusterIPs"], "may not change once set", errors);
    }
}

pub(super) fn endpoints(object: &Unstructured, errors: &mut Errors) {
    for (index, subset) in list(at(object, "subsets")).enumerate() {
        let path = format!("subsets[{index}]");
        if is_empty(&subset["addresses"]) && is_empty(&subset["notReadyAddresses"]) {
            let why = "must specify `addresses` or `notReadyAddresses`";
            errors.push(FieldError::required(path.as_str(), why));
        }
        for field in ["addresses", "notReadyAddresses"] {
            for (index, address) in list(&subset[field]).enumerate() {
                let path = format!("{path}.{field}[{index}]");
                let ip = text(&address["ip"]);
                if ip.parse::<IpAddr>().is_err() {
                    errors.push(FieldError::invalid(format!("{path}.ip"), ip, IP));
                }
                for name in [text(&address["hostname"])].into_iter().filter(|name| !name.is_empty()) {
                    invalid(&format!("{path}.hostname"), name, validation::dns1123_label(name), errors);
                }
                if ip.parse::<IpAddr>().is_err() {
                    errors.push(FieldError::invalid(format!("{path}.ip"), ip, "must be a valid IP address"));
                } else {
                    endpoint_address(ip, &format!("{path}.ip"), errors);
                }
            }
        }
        let ports: Vec<&Json> = list(&subset["ports"]).collect();
        for (index, port) in ports.iter().enumerate() {
            let path = format!("{path}.ports[{index}]");
            let name = text(&port["name"]);
            if name.is_empty() && ports.len() > 1 {
                errors.push(FieldError::required(format!("{path}.name"), ""));
            } else if !name.is_empty() {
                invalid(&format!("{path}.name"), name, validation::dns1123_label(name), errors);
            }
            port_number(port["port"].as_i64().unwrap_or(0), &format!("{path}.port"), errors);
            one_of(port, &path, "protocol", PROTOCOLS, errors);
        }
    }
}

pub(super) fn endpoint_slice(object: &Unstructured, errors: &mut Errors) {
    const TYPES: &[&str] = &["FQDN", "IPv4", "IPv6"];
    const ADDRESSES_MAX: usize = 100;
    let kind = text(at(object, "addressType"));
    if kind.is_empty() {
        errors.push(FieldError::required("addressType", ""));
        return;
    }
    if !TYPES.contains(&kind) {
        errors.push(FieldError::not_supported("addressType", kind, TYPES));
        return;
    }
    for (index, endpoint) in list(at(object, "endpoints")).enumerate() {
        let path = format!("endpoints[{index}]");
        let addresses: Vec<&str> = list(&endpoint["addresses"]).map(text).collect();
        required(endpoint, &path, "addresses", errors);
        if addresses.len() > ADDRESSES_MAX {
            errors.push(FieldError::too_many(format!("{path}.addresses"), addresses.len(), ADDRESSES_MAX));
        } else {
            for (index, address) in addresses.iter().enumerate() {
                slice_address(kind, address, &format!("{path}.addresses"), index, errors);
            }
        }
        let name = text(&endpoint["hostname"]);
        if !name.is_empty() {
            invalid(&format!("{path}.hostname"), name, validation::dns1123_label(name), errors);
        }
    }
    let mut names = HashSet::new();
    for (index, port) in list(at(object, "ports")).enumerate() {
        let path = format!("ports[{index}]");
        let name = text(&port["name"]);
        if !name.is_empty() {
            invalid(&format!("{path}.name"), name, validation::dns1123_label(name), errors);
        }
        if !names.insert(name) {
            errors.push(FieldError::duplicate(format!("{path}.name"), name));
        }
        one_of(port, &path, "protocol", PROTOCOLS, errors);
    }
}

fn slice_address(kind: &str, address: &str, path: &str, index: usize, errors: &mut Errors) {
    let own = format!("{path}[{index}]");
    if kind == "FQDN" {
        invalid(&own, address, validation::dns1123_subdomain(address), errors);
        return;
    }
    match address.parse::<IpAddr>() {
        Err(_) => errors.push(FieldError::invalid(own, address, IP)),
        Ok(parsed) if parsed.is_ipv4() != (kind == "IPv4") => {
            // The real server leaves the index out here.
            errors.push(FieldError::invalid(path, address, format!("must be an {kind} address")));
        }
        Ok(_) => endpoint_address(address, &own, errors),
    }
}

pub(super) fn slice_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    if at(new, "addressType") != at(old, "addressType") {
        errors.push(FieldError::invalid_json("addressType", "null", super::common::IMMUTABLE));
    }
}
