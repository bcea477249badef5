//! `Ingress`.

use std::net::IpAddr;

use client_rs_machinery::{FieldError, Json, Unstructured, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{AdmissionPlugin, Errors, Generation, KindRules, StatusRules, WriteContext};
use crate::kinds::shared::checks::{at, invalid, is_empty, list, one_of, port_number, required, text};
use crate::kinds::shared::classes;
use crate::kinds::shared::load_balancer;

pub(super) const RULES: KindRules = KindRules {
    plural: "ingresses",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    admit: Some(|object, context| {
        set_class(object, context);
        Ok(())
    }),
    status: StatusRules {
        validate: |new, old, errors| load_balancer::check(new, old, false, errors),
        ..StatusRules::DEFAULT
    },
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Class", "Class of the ingress.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "ingressClassName"]))
    }),
    columns::text("Hosts", "Host names of the rules.", |object, _| {
        let rules = list(columns::at(object, &["spec", "rules"])).map(|rule| text(&rule["host"]).to_owned());
        columns::first_three(&rules.filter(|host| !host.is_empty()).collect::<Vec<_>>(), "*")
    }),
    columns::text("Address", "Addresses of the load balancer.", |object, _| {
        let all = list(columns::at(object, &["status", "loadBalancer", "ingress"]));
        let address = |one: &Json| {
            if is_empty(&one["ip"]) { text(&one["hostname"]).to_owned() } else { text(&one["ip"]).to_owned() }
        };
        all.map(address).collect::<Vec<_>>().join(",").into()
    }),
    columns::text("Ports", "Ports of the ingress.", |object, _| {
        if is_empty(columns::at(object, &["spec", "tls"])) { "80".into() } else { "80, 443".into() }
    }),
    columns::AGE,
];

/// Sets the default class of a new ingress that names none.
fn set_class(ingress: &mut Unstructured, context: &dyn WriteContext) {
    const IS_DEFAULT: &[&str] = &["ingressclass.kubernetes.io/is-default-class"];
    if !context.runs(AdmissionPlugin::DefaultIngressClass) {
        return;
    }
    // The annotation is older than the field.
    let named = ingress.annotation("kubernetes.io/ingress.class").is_some()
        || !at(ingress, "spec")["ingressClassName"].is_null();
    if !named
        && let Some(class) =
            classes::default_class(context, "networking.k8s.io", "ingressclasses", IS_DEFAULT)
    {
        drop(ingress.set_nested(&["spec", "ingressClassName"], class));
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
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
