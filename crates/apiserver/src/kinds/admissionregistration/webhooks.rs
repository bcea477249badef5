//! Admission webhooks, which both kinds of configuration list.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, validation};

use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{at, invalid, label_selector, list, one_of, text, wrong};
use crate::kinds::shared::defaulting::{default, items};

pub(super) fn defaults(object: &mut Map<Json>, mutating: bool) {
    for webhook in items(object, "webhooks") {
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
        for rule in items(webhook, "rules") {
            default(rule, "scope", "*");
        }
    }
}

pub(super) fn validate(object: &Unstructured, errors: &mut Errors) {
    let mut names = HashSet::new();
    for (index, webhook) in list(at(object, "webhooks")).enumerate() {
        let path = format!("webhooks[{index}]");
        check(webhook, &path, errors);
        if !names.insert(text(&webhook["name"])) {
            errors.push(FieldError::duplicate(format!("{path}.name"), text(&webhook["name"])));
        }
    }
}

fn check(webhook: &Json, path: &str, errors: &mut Errors) {
    let name = text(&webhook["name"]);
    invalid(&format!("{path}.name"), name, validation::fully_qualified_name(name), errors);
    for (rule, at) in
        list(&webhook["rules"]).enumerate().map(|(at, rule)| (rule, format!("{path}.rules[{at}]")))
    {
        self::rule(rule, &at, errors);
    }
    one_of(webhook, path, "failurePolicy", &["Fail", "Ignore"], errors);
    one_of(webhook, path, "matchPolicy", &["Equivalent", "Exact"], errors);
    one_of(webhook, path, "reinvocationPolicy", &["IfNeeded", "Never"], errors);
    side_effects(webhook, path, errors);
    let timeout = &webhook["timeoutSeconds"];
    if timeout.as_i64().is_some_and(|seconds| !(1..=30).contains(&seconds)) {
        let why = "the timeout value must be between 1 and 30 seconds";
        wrong(format!("{path}.timeoutSeconds"), timeout, why, errors);
    }
    label_selector(&webhook["namespaceSelector"], &format!("{path}.namespaceSelector"), errors);
    label_selector(&webhook["objectSelector"], &format!("{path}.objectSelector"), errors);
    client(&webhook["clientConfig"], &format!("{path}.clientConfig"), errors);
    versions(webhook, path, errors);
    conditions(webhook, path, errors);
}

fn side_effects(webhook: &Json, path: &str, errors: &mut Errors) {
    let (at, supported) = (format!("{path}.sideEffects"), ["None", "NoneOnDryRun"]);
    match webhook["sideEffects"].as_str() {
        None => {
            let why = format!("must specify one of {}", supported.join(", "));
            errors.push(FieldError::required(at, why));
        }
        Some(given) if !supported.contains(&given) => {
            errors.push(FieldError::not_supported(at, given, &supported));
        }
        Some(_) => {}
    }
}

fn rule(rule: &Json, path: &str, errors: &mut Errors) {
    for (key, why) in [("operations", ""), ("apiGroups", ""), ("apiVersions", ""), ("resources", "")] {
        let all: Vec<&str> = list(&rule[key]).map(text).collect();
        if all.is_empty() {
            errors.push(FieldError::required(format!("{path}.{key}"), why));
        }
        if key != "resources" && all.len() > 1 && all.contains(&"*") {
            let plain = match key {
                "operations" => "operations",
                "apiGroups" => "api groups",
                _ => "api versions",
            };
            let why = format!("if '*' is present, must not specify other {plain}");
            let shown = rule[key].to_string();
            errors.push(FieldError::invalid_json(format!("{path}.{key}"), shown, why));
        }
    }
    let supported = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
    for (index, operation) in list(&rule["operations"]).map(text).enumerate() {
        if !supported.contains(&operation) {
            let at = format!("{path}.operations[{index}]");
            errors.push(FieldError::not_supported(at, operation, &supported));
        }
    }
    one_of(rule, path, "scope", &["*", "Cluster", "Namespaced"], errors);
}

fn client(client: &Json, path: &str, errors: &mut Errors) {
    let (url, service) = (&client["url"], &client["service"]);
    if url.is_null() == service.is_null() {
        errors.push(FieldError::required(path, "exactly one of url or service is required"));
        return;
    }
    if let Some(url) = url.as_str() {
        let form = "; desired format: https://host[/path]";
        let at = format!("{path}.url");
        let Some(rest) = url.strip_prefix("https://") else {
            let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
            let why = format!("'https' is the only allowed URL scheme{form}");
            errors.push(FieldError::invalid(at, scheme, why));
            return;
        };
        if rest.is_empty() || rest.starts_with('/') {
            errors.push(FieldError::invalid(at.as_str(), "", format!("host must be specified{form}")));
        }
        for (mark, what) in [('?', "query parameters"), ('#', "fragments")] {
            if let Some((_, rest)) = url.split_once(mark) {
                let why = format!("{what} are not permitted in the URL");
                errors.push(FieldError::invalid(at.as_str(), rest, why));
            }
        }
        return;
    }
    for key in ["name", "namespace"] {
        if text(&service[key]).is_empty() {
            let why = format!("service {key} is required");
            errors.push(FieldError::required(format!("{path}.service.{key}"), why));
        }
    }
    let port = service["port"].as_i64().unwrap_or(443);
    for why in validation::port_number(port).err().into_iter().flatten() {
        let why = format!("port is not valid: {why}");
        errors.push(FieldError::invalid_json(format!("{path}.service.port"), port.to_string(), why));
    }
}

fn versions(webhook: &Json, path: &str, errors: &mut Errors) {
    let at = format!("{path}.admissionReviewVersions");
    let all: Vec<&str> = list(&webhook["admissionReviewVersions"]).map(text).collect();
    if all.is_empty() {
        errors.push(FieldError::required(at, "must specify one of v1, v1beta1"));
        return;
    }
    for (index, version) in all.iter().enumerate() {
        let at = format!("{at}[{index}]");
        if all[..index].contains(version) {
            errors.push(FieldError::invalid(at, version, "duplicate version"));
        } else {
            invalid(&at, version, validation::dns1035_label(version), errors);
        }
    }
    if !all.iter().any(|version| ["v1", "v1beta1"].contains(version)) {
        let shown = webhook["admissionReviewVersions"].to_string();
        let why = "must include at least one of v1, v1beta1";
        errors.push(FieldError::invalid_json(at, shown, why));
    }
}

fn conditions(webhook: &Json, path: &str, errors: &mut Errors) {
    let mut names = HashSet::new();
    for (index, condition) in list(&webhook["matchConditions"]).enumerate() {
        let at = format!("{path}.matchConditions[{index}]");
        let (name, expression) = (text(&condition["name"]), text(&condition["expression"]));
        if expression.trim().is_empty() {
            errors.push(FieldError::required(format!("{at}.expression"), ""));
        } else if let Err(error) = client_rs_cel::parse(expression) {
            let why = format!("compilation failed: {error}");
            errors.push(FieldError::invalid(format!("{at}.expression"), expression, why));
        }
        if name.is_empty() {
            errors.push(FieldError::required(format!("{at}.name"), ""));
            continue;
        }
        invalid(&format!("{at}.name"), name, validation::qualified_name(name), errors);
        if !names.insert(name) {
            errors.push(FieldError::duplicate(format!("{at}.name"), name));
        }
    }
}
