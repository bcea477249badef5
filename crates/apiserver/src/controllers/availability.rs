//! Whether the servers of aggregated groups answer, in the status of `APIService` objects. No request is passed on here: each
//! such server counts as one that does not answer.

use client_rs_machinery::{ApiError, Json, json};

use crate::object::Stored;
use crate::registry::{Ownership, Part, Precondition, Registry, Served, WriteOptions};

/// Who is said to have written the status.
const MANAGER: &str = "kube-apiserver";

/// Writes into an `APIService` whether its server answers.
pub(super) fn update(registry: &Registry, served: &Served, name: &str) {
    let now = registry.clock().now();
    let ownership = Ownership::new(registry.catalog(), served, "status", now, None);
    let mut make = |stored: Option<&Stored>| {
        let old = &stored.ok_or_else(|| ApiError::not_found(&served.group_resource(), name))?.object;
        let service = old.object.get("spec").map(|spec| spec["service"].clone()).unwrap_or_default();
        let condition = condition(registry, &service, &now.to_string());
        let mut new = old.clone();
        drop(new.set_nested(&["status", "conditions"], Json::from(vec![condition])));
        ownership.updated(Some(old), new, MANAGER)
    };
    let (part, options) = (Part::Status, WriteOptions::default());
    // It may be gone already.
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
                format!("no response from {name}.{namespace}: requests are not passed on by this server");
            ("False", "FailedDiscoveryCheck", why)
        } else {
            ("False", "ServiceNotFound", format!("service/{name} in {namespace:?} is not present"))
        }
    };
    json!({
        "type": "Available", "status": status, "lastTransitionTime": now, "reason": reason, "message": message,
    })
}
