//! Validates the conversion of a definition.

use client_rs_machinery::{FieldError, Json, validation};

use super::list;
use super::spec::one_of;

const PATH: &str = "spec.conversion";

/// Validates a conversion.
pub(super) fn check(conversion: &Json, preserves: bool, errors: &mut Vec<FieldError>) {
    let strategy = conversion["strategy"].as_str().unwrap_or_default();
    if strategy != "None" && preserves {
        let why = "must be None if spec.preserveUnknownFields is true";
        errors.push(FieldError::invalid(format!("{PATH}.strategy"), strategy, why));
    }
    one_of(&format!("{PATH}.strategy"), strategy, &["None", "Webhook"], errors);
    let client = &conversion["webhook"]["clientConfig"];
    let versions = &conversion["webhook"]["conversionReviewVersions"];
    let (client_at, versions_at) =
        (format!("{PATH}.webhookClientConfig"), format!("{PATH}.conversionReviewVersions"));
    if strategy != "Webhook" {
        let why = "should not be set when strategy is not set to Webhook";
        if !client.is_null() {
            errors.push(FieldError::forbidden(client_at, why));
        }
        if list(versions).next().is_some() {
            errors.push(FieldError::forbidden(versions_at, why));
        }
        return;
    }
    let (url, service) = (&client["url"], &client["service"]);
    if client.is_null() {
        errors.push(FieldError::required(client_at, "required when strategy is set to Webhook"));
    } else if url.is_null() == service.is_null() {
        errors.push(FieldError::required(client_at, "exactly one of url or service is required"));
    } else if let Some(url) = url.as_str() {
        if !url.starts_with("https://") {
            let why = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
            errors.push(FieldError::invalid(format!("{client_at}.url"), url, why));
        }
    } else {
        for key in ["name", "namespace"] {
            if service[key].as_str().unwrap_or_default().is_empty() {
                let why = format!("service {key} is required");
                errors.push(FieldError::required(format!("{client_at}.service.{key}"), why));
            }
        }
        let port = service["port"].as_i64().unwrap_or(443);
        if let Err(wrong) = validation::port_number(port) {
            let why = wrong.into_iter().map(|why| why.to_string()).collect::<Vec<_>>().join(",");
            let why = format!("port is not valid: {why}");
            errors.push(FieldError::invalid_json(format!("{client_at}.service.port"), port.to_string(), why));
        }
    }
    let all: Vec<&str> = list(versions).filter_map(Json::as_str).collect();
    if all.is_empty() {
        errors.push(FieldError::required(versions_at, ""));
        return;
    }
    for (index, version) in all.iter().enumerate() {
        let at = format!("{versions_at}[{index}]");
        if all[..index].contains(version) {
            errors.push(FieldError::invalid(at, version, "duplicate version"));
            continue;
        }
        for why in validation::dns1035_label(version).err().into_iter().flatten() {
            errors.push(FieldError::invalid(at.as_str(), version, why.to_string()));
        }
    }
    if !all.iter().any(|version| ["v1", "v1beta1"].contains(version)) {
        let why = "must include at least one of v1, v1beta1";
        errors.push(FieldError::invalid_json(versions_at, versions.to_string(), why));
    }
}
