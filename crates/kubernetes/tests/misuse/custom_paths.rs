// Paths of columns, scales and selectable fields lead to something.
use client_rs_custom::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "ColumnType", crate = client_rs_custom)]
#[resource(column(name = "X", type = "text", json_path = ".spec.a"))]
#[schema(crate = client_rs_custom)]
struct ColumnTypeSpec {
    a: String,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "ColumnPath", crate = client_rs_custom)]
#[resource(column(name = "X", json_path = ".spec.a[?(@.b==1]"))]
#[schema(crate = client_rs_custom)]
struct ColumnPathSpec {
    a: String,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "ColumnOfNothing", crate = client_rs_custom)]
#[resource(column(name = "X", json_path = ".status.ready"))]
#[schema(crate = client_rs_custom)]
struct ColumnOfNothingSpec {
    a: String,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "ScaleWithoutStatus", crate = client_rs_custom)]
#[resource(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))]
#[schema(crate = client_rs_custom)]
struct ScaleWithoutStatusSpec {
    replicas: i32,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "ScaleElsewhere", status = Status, crate = client_rs_custom)]
#[resource(scale(spec_replicas_path = ".status.replicas", status_replicas_path = ".status.replicas"))]
#[schema(crate = client_rs_custom)]
struct ScaleElsewhereSpec {
    replicas: i32,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "HalfAScale", status = Status, crate = client_rs_custom)]
#[resource(scale(spec_replicas_path = ".spec.replicas"))]
#[schema(crate = client_rs_custom)]
struct HalfAScaleSpec {
    replicas: i32,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "SelectableOfNothing", crate = client_rs_custom)]
#[resource(selectable = ".spec.host_name")]
#[schema(crate = client_rs_custom)]
struct SelectableOfNothingSpec {
    host_name: String,
}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "SelectableMetadata", crate = client_rs_custom)]
#[resource(selectable = ".metadata.name")]
#[schema(crate = client_rs_custom)]
struct SelectableMetadataSpec {}

#[derive(Schema, Clone, Debug, Deserialize, Serialize)]
#[schema(crate = client_rs_custom)]
struct Status {
    replicas: i32,
}

fn main() {}
