//! Admission webhooks, which both kinds of configuration list.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Map, Unstructured, validation};

use super::matching;
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
    matching::conditions(&webhook["matchConditions"], &format!("{path}.matchConditions"), false, errors);
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

/// Validates a rule of a webhook or a policy.
pub(super) fn rule(rule: &Json, path: &str, errors: &mut Errors) {
    few(rule, path, "operations", "operations", errors);
    let supported = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
    for (index, operation) in list(&rule["operations"]).map(text).enumerate() {
        if !supported.contains(&operation) {
            let at = format!("{path}.operations[{index}]");
            errors.push(FieldError::not_supported(at, operation, &supported));
        }
    }
    few(rule, path, "apiGroups", "API groups", errors);
    few(rule, path, "apiVersions", "API versions", errors);
    for (index, _) in
        list(&rule["apiVersions"]).map(text).enumerate().filter(|(_, version)| version.is_empty())
    {
        errors.push(FieldError::required(format!("{path}.apiVersions[{index}]"), ""));
    }
    resources(&rule["resources"], &format!("{path}.resources"), errors);
    one_of(rule, path, "scope", &["*", "Cluster", "Namespaced"], errors);
}

/// Requires entries, and a star to be the only one.
fn few(rule: &Json, path: &str, key: &str, plain: &str, errors: &mut Errors) {
    let all: Vec<&str> = list(&rule[key]).map(text).collect();
    if all.is_empty() {
        errors.push(FieldError::required(format!("{path}.{key}"), ""));
    }
    if all.len() > 1 && all.contains(&"*") {
        let why = format!("if '*' is present, must not specify other {plain}");
        errors.push(FieldError::invalid_json(format!("{path}.{key}"), rule[key].to_string(), why));
    }
}

/// Validates the resources of a rule: a star must not include other entries.
fn resources(resources: &Json, path: &str, errors: &mut Errors) {
    let all: Vec<&str> = list(resources).map(text).collect();
    if all.is_empty() {
        errors.push(FieldError::required(path, ""));
    }
    // `pods/*` and `*/status`.
    let (mut all_of, mut of_all) = (HashSet::new(), HashSet::new());
    let mut plain = false;
    for (index, given) in all.iter().copied().enumerate() {
        let at = format!("{path}[{index}]");
        if given.is_empty() {
            errors.push(FieldError::required(at, ""));
            continue;
        }
        let Some((resource, subresource)) = given.split_once('/') else {
            plain = given != "*";
            continue;
        };
        if all_of.contains(resource) {
            let why = format!("if '{resource}/*' is present, must not specify {given}");
            errors.push(FieldError::invalid(at.clone(), given, why));
        }
        if of_all.contains(subresource) {
            let why = format!("if '*/{subresource}' is present, must not specify {given}");
            errors.push(FieldError::invalid(at, given, why));
        }
        if subresource == "*" {
            all_of.insert(resource);
        }
        if resource == "*" {
            of_all.insert(subresource);
        }
    }
    let mut refuse = |why: &str| {
        errors.push(FieldError::invalid_json(path, resources.to_string(), why));
    };
    if all.len() > 1 && all.contains(&"*/*") {
        refuse("if '*/*' is present, must not specify other resources");
    }
    if plain && all.contains(&"*") {
        refuse("if '*' is present, must not specify other resources without subresources");
    }
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
