// Names that a server would refuse, and missing arguments: errors at the attribute.
use client_rs_custom::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[schema(crate = client_rs_custom)]
struct NothingSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(version = "v1", kind = "NoGroup", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct NoGroupSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example", version = "v1", kind = "NoDomain", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct NoDomainSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "V1", kind = "BadVersion", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct BadVersionSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "widget", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct SmallSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "BadPlural", plural = "Bad_Plurals", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct BadPluralSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(
    group = "example.com",
    version = "v1",
    kind = "LongName",
    plural = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
    crate = client_rs_custom
)]
#[schema(crate = client_rs_custom)]
struct LongNameSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Same", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct Same {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "UnknownWord", namespace, crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct UnknownWordSpec {}

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "AnEnum", crate = client_rs_custom)]
enum AnEnumSpec {
    A,
}

fn main() {}
