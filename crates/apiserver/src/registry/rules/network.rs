//! Ingresses and network policies.

use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, validation};

use super::common::{
    CIDR, Errors, cidr, invalid, is_empty, label_selector, list, one_of, port, port_number, required, text,
    wrong,
};

pub(super) fn ingress(spec: &Json, errors: &mut Errors) {
    let (rules, default) = (&spec["rules"], &spec["defaultBackend"]);
    if is_empty(rules) && default.is_null() {
        let why = "either `defaultBackend` or `rules` must be specified";
        errors.push(FieldError::invalid_json("spec", "null", why));
    }
    if !default.is_null() {
        backend(default, "spec.defaultBackend", errors);
    }
    for (index, rule) in list(rules).enumerate() {
        let path = format!("spec.rules[{index}]");
        host(text(&rule["host"]), &format!("{path}.host"), errors);
        let http = &rule["http"];
        if http.is_null() {
            continue;
        }
        required(http, &format!("{path}.http"), "paths", errors);
        for (index, one) in list(&http["paths"]).enumerate() {
            self::path(one, &format!("{path}.http.paths[{index}]"), errors);
        }
    }
    for (index, tls) in list(&spec["tls"]).enumerate() {
        let path = format!("spec.tls[{index}]");
        for (index, name) in list(&tls["hosts"]).map(text).enumerate() {
            let checked = if name.contains('*') {
                validation::wildcard_dns1123_subdomain(name)
            } else {
                validation::dns1123_subdomain(name)
            };
            invalid(&format!("{path}.hosts[{index}]"), name, checked, errors);
        }
        let secret = text(&tls["secretName"]);
        if !secret.is_empty() {
            invalid(&format!("{path}.secretName"), secret, validation::dns1123_subdomain(secret), errors);
        }
    }
    let class = text(&spec["ingressClassName"]);
    if !class.is_empty() {
        invalid("spec.ingressClassName", class, validation::dns1123_subdomain(class), errors);
    }
}

fn host(host: &str, path: &str, errors: &mut Errors) {
    if host.is_empty() {
        return;
    }
    if host.parse::<IpAddr>().is_ok() {
        errors.push(FieldError::invalid(path, host, "must be a DNS name, not an IP address"));
    } else if host.contains('*') {
        invalid(path, host, validation::wildcard_dns1123_subdomain(host), errors);
    } else {
        invalid(path, host, validation::dns1123_subdomain(host), errors);
    }
}

fn path(one: &Json, path: &str, errors: &mut Errors) {
    let (own, field) = (text(&one["path"]), format!("{path}.path"));
    match one["pathType"].as_str() {
        None => errors.push(FieldError::required(format!("{path}.pathType"), "pathType must be specified")),
        Some("Exact" | "Prefix") => {
            if own.starts_with('/') {
                for part in ["//", "/./", "/../", "%2f", "%2F"].iter().filter(|part| own.contains(**part)) {
                    errors.push(FieldError::invalid(
                        field.as_str(),
                        own,
                        format!("must not contain '{part}'"),
                    ));
                }
                for part in ["/..", "/."].iter().filter(|part| own.ends_with(**part)) {
                    errors.push(FieldError::invalid(
                        field.as_str(),
                        own,
                        format!("cannot end with '{part}'"),
                    ));
                }
            } else {
                errors.push(FieldError::invalid(field, own, "must be an absolute path"));
            }
        }
        Some("ImplementationSpecific") => {
            if !own.is_empty() && !own.starts_with('/') {
                errors.push(FieldError::invalid(field, own, "must be an absolute path"));
            }
        }
        Some(_) => one_of(one, path, "pathType", &["Exact", "ImplementationSpecific", "Prefix"], errors),
    }
    backend(&one["backend"], &format!("{path}.backend"), errors);
}

fn backend(backend: &Json, path: &str, errors: &mut Errors) {
    let (resource, service) = (&backend["resource"], &backend["service"]);
    match (resource.is_null(), service.is_null()) {
        (false, false) => {
            errors.push(FieldError::invalid(path, "", "cannot set both resource and service backends"));
        }
        (true, true) => errors.push(FieldError::invalid(path, "", "resource or service backend is required")),
        (false, true) => {
            for field in ["kind", "name"] {
                required(resource, &format!("{path}.resource"), field, errors);
            }
        }
        (true, false) => {
            let own = format!("{path}.service");
            if required(service, &own, "name", errors) {
                let name = text(&service["name"]);
                invalid(&format!("{own}.name"), name, validation::dns1123_label(name), errors);
            }
            let (name, number) =
                (text(&service["port"]["name"]), service["port"]["number"].as_i64().unwrap_or_default());
            match (name.is_empty(), number == 0) {
                (false, false) => {
                    errors.push(FieldError::invalid(path, "", "cannot set both port name & port number"));
                }
                (true, true) => errors.push(FieldError::required(path, "port name or number is required")),
                (false, true) => {
                    invalid(&format!("{own}.port.name"), name, validation::port_name(name), errors);
                }
                (true, false) => port_number(number, &format!("{own}.port.number"), errors),
            }
        }
    }
}

pub(super) fn policy(spec: &Json, errors: &mut Errors) {
    label_selector(&spec["podSelector"], "spec.podSelector", errors);
    for (direction, peers) in [("ingress", "from"), ("egress", "to")] {
        for (index, rule) in list(&spec[direction]).enumerate() {
            let path = format!("spec.{direction}[{index}]");
            for (index, one) in list(&rule["ports"]).enumerate() {
                policy_port(one, &format!("{path}.ports[{index}]"), errors);
            }
            for (index, peer) in list(&rule[peers]).enumerate() {
                self::peer(peer, &format!("{path}.{peers}[{index}]"), errors);
            }
        }
    }
    for (index, kind) in list(&spec["policyTypes"]).map(text).enumerate() {
        if !["Ingress", "Egress"].contains(&kind) {
            let path = format!("spec.policyTypes[{index}]");
            errors.push(FieldError::not_supported(path, kind, &["Ingress", "Egress"]));
        }
    }
}

fn policy_port(one: &Json, path: &str, errors: &mut Errors) {
    one_of(one, path, "protocol", &["TCP", "UDP", "SCTP"], errors);
    if !one["port"].is_null() {
        port(&one["port"], &format!("{path}.port"), errors);
    }
    let (first, last) = (one["port"].as_i64(), one["endPort"].as_i64());
    if last.zip(first).is_some_and(|(last, first)| last < first) {
        wrong(format!("{path}.endPort"), &one["endPort"], "must be greater than or equal to `port`", errors);
    }
}

fn peer(peer: &Json, path: &str, errors: &mut Errors) {
    let mut found = 0;
    for field in ["podSelector", "namespaceSelector"].iter().filter(|field| !peer[**field].is_null()) {
        found += 1;
        label_selector(&peer[*field], &format!("{path}.{field}"), errors);
    }
    let block = &peer["ipBlock"];
    if !block.is_null() {
        found += 1;
        self::block(block, &format!("{path}.ipBlock"), errors);
    }
    if found == 0 {
        errors.push(FieldError::required(path, "must specify a peer"));
    } else if found > 1 && !block.is_null() {
        errors.push(FieldError::forbidden(path, "may not specify both ipBlock and another peer"));
    }
}

fn block(block: &Json, path: &str, errors: &mut Errors) {
    let own = text(&block["cidr"]);
    let Some((base, bits)) = cidr(own) else {
        errors.push(FieldError::invalid(format!("{path}.cidr"), own, CIDR));
        return;
    };
    for (index, except) in list(&block["except"]).map(text).enumerate() {
        let path = format!("{path}.except[{index}]");
        match cidr(except) {
            None => errors.push(FieldError::invalid(path, except, CIDR)),
            Some((inner, fewer)) if fewer <= bits || !within(inner, base, bits) => {
                errors.push(FieldError::invalid(path, except, "must be a strict subset of `cidr`"));
            }
            Some(_) => {}
        }
    }
}

/// Whether an address is in a range.
fn within(address: IpAddr, base: IpAddr, bits: u8) -> bool {
    let number = |address: IpAddr| match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
        IpAddr::V6(address) => u128::from(address),
    };
    let mask = if bits == 0 { 0 } else { u128::MAX << (128 - u32::from(bits)) };
    address.is_ipv4() == base.is_ipv4() && number(address) & mask == number(base) & mask
}
