//! `example.com/v1`

use client_rs::prelude::Condition;
use client_rs::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// The desired state of a database.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "Database", namespaced)]
#[resource(description = "A replicated database with a volume per pod, and a backup when it is deleted.")]
#[resource(status = DatabaseStatus, short_name = "db")]
#[resource(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.readyReplicas"))]
#[resource(column(name = "Ready", json_path = r#".status.conditions[?(@.type=="Ready")].status"#))]
#[resource(column(name = "Replicas", type = "integer", json_path = ".status.readyReplicas"))]
#[resource(column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"))]
pub struct DatabaseSpec {
    /// The image. It serves with the argument `serve`, and writes a backup with `backup --from HOST --to DESTINATION`.
    #[schema(min_length = 1, max_length = 300)]
    pub image: String,
    /// The number of pods.
    #[schema(minimum = 1, maximum = 9, default = 1)]
    pub replicas: i32,
    /// The size of each volume. A stateful set can't change it later.
    #[schema(
        max_length = 20,
        pattern = "^[1-9][0-9]*(Mi|Gi|Ti)$",
        rule(expression = "self == oldSelf", message = "storage is immutable")
    )]
    pub storage: String,
    /// The last backup, made when the database is deleted. Without it, the data are deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<Backup>,
}

/// The last backup of a database.
#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// The place of the backup. The webhook fills in `s3://backups/NAMESPACE/NAME`. No two databases have the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 500)]
    pub destination: Option<String>,
}

/// The observed state of a database.
#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseStatus {
    /// The number of pods that are ready.
    #[serde(default)]
    pub ready_replicas: i32,
    /// `Ready`, and during the deletion `BackedUp`; with the reason if it is not.
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["type"])]
    pub conditions: Vec<Condition>,
}

impl Database {
    /// The place of the last backup, if there will be one.
    pub fn destination(&self) -> Option<String> {
        let backup = self.spec.backup.as_ref()?;
        Some(
            backup.destination.clone().unwrap_or_else(|| {
                format!("s3://backups/{}/{}", self.metadata.namespace, self.metadata.name)
            }),
        )
    }
}
