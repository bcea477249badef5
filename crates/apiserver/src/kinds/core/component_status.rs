//! `ComponentStatus`.

use client_rs_machinery::{Json, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules = KindRules {
    plural: "componentstatuses",
    deprecated: Some("v1 ComponentStatus is deprecated in v1.19+"),
    columns: Some(COLUMNS),
    computed: Some(components),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Status", "Status of the component.", |object, _| {
        match columns::list(columns::at(object, &["conditions"])).find(|condition| is_health(condition)) {
            Some(condition) if condition["status"].as_str() == Some("True") => "Healthy".into(),
            Some(condition) if condition["status"].as_str() == Some("False") => "Unhealthy".into(),
            _ => "Unknown".into(),
        }
    }),
    columns::text("Message", "Message of the component.", |object, _| of_health(object, "message")),
    columns::text("Error", "Error of the component.", |object, _| of_health(object, "error")),
];

fn is_health(condition: &Json) -> bool {
    condition["type"].as_str() == Some("Healthy")
}

fn of_health(object: &client_rs_machinery::Unstructured, field: &str) -> Json {
    let mut conditions = columns::list(columns::at(object, &["conditions"]));
    let found = conditions.find(|condition| is_health(condition));
    found.and_then(|condition| condition[field].as_str()).unwrap_or_default().into()
}

/// The components that the real server knows. The server itself does the work of the storage and of some controllers; it
/// has no scheduler.
fn components() -> Vec<Json> {
    let none = "this server has none";
    [("scheduler", "False", none), ("controller-manager", "False", none), ("etcd-0", "True", "ok")]
        .map(|(name, status, message)| {
            json!({
                "kind": "ComponentStatus", "apiVersion": "v1", "metadata": {"name": name},
                "conditions": [{"type": "Healthy", "status": status, "message": message}],
            })
        })
        .to_vec()
}
