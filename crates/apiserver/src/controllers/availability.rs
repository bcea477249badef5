//! Writes the `Available` condition of `APIService` objects. This server does not proxy to aggregated API servers,
//! so each of them is reported as unavailable.

use client_rs_machinery::{ApiError, Json, json};

use crate::object::Stored;
use crate::registry::{Live, Ownership, Part, Precondition, Registry, Served, WriteOptions};

/// The field manager of the status.
const MANAGER: &str = "kube-apiserver";

/// Writes the `Available` condition of an `APIService`.
pub(super) fn update(registry: &Registry, served: &Served, name: &str) {
    let now = registry.clock().now();
    let ownership = Ownership::new(registry.catalog(), served, "status", now, None);
    let mut make = |stored: Option<&Stored>| {
        let stored = stored.ok_or_else(|| ApiError::not_found(&served.group_resource(), name))?;
        let old = &stored.object;
        let service = old.object.get("spec").map(|spec| spec["service"].clone()).unwrap_or_default();
        let condition = condition(registry, &service, &now.to_string());
        let mut new = old.clone();
        drop(new.set_nested(&["status", "conditions"], Json::from(vec![condition])));
        ownership.updated(Some(Live::Stored(stored)), new, MANAGER)
    };
    let (part, options) = (Part::Status, WriteOptions::default());
    // It can only fail because the object is gone.
    let _ = registry.update(served, "", name, part, Precondition::SameUid, options, &mut make);
}

fn condition(registry: &Registry, service: &Json, now: &str) -> Json {
    let (status, reason, message) = if service.is_null() {
        ("True", "Local", "Local APIServices are always available".to_owned())
    } else {
        let text = |key: &str| service[key].as_str().unwrap_or_default();
        let (name, namespace) = (text("name"), text("namespace"));
        let services = registry.catalog().find("", "v1", "services");
        if services.is_some_and(|services| registry.get(&services, namespace, name).is_ok()) {
            let why =
                format!("no response from {name}.{namespace}: this server does not proxy to aggregated APIs");
            ("False", "FailedDiscoveryCheck", why)
        } else {
            ("False", "ServiceNotFound", format!("service/{name} in {namespace:?} is not present"))
        }
    };
    json!({
        "type": "Available", "status": status, "lastTransitionTime": now, "reason": reason, "message": message,
    })
}
