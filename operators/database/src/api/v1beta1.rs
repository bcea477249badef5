//! `example.com/v1beta1`: the first version, still served for those who use it.

use client_rs::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

use super::v1::DatabaseStatus;

/// The desired state of a database.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1beta1", kind = "Database", namespaced)]
#[resource(description = "A replicated database with a volume per pod, and a backup when it is deleted.")]
#[resource(status = DatabaseStatus, short_name = "db")]
#[resource(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.readyReplicas"))]
#[resource(column(name = "Ready", json_path = r#".status.conditions[?(@.type=="Ready")].status"#))]
pub struct DatabaseSpec {
    /// The image.
    #[schema(min_length = 1, max_length = 300)]
    pub image: String,
    /// The number of pods.
    #[schema(minimum = 1, maximum = 9, default = 1)]
    pub replicas: i32,
    /// The size of each volume in GiB.
    #[schema(minimum = 1, maximum = 100_000)]
    pub storage_gi: i64,
    /// The place of the last backup. The default place if it is empty, no backup if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub backup_to: Option<String>,
}
