// Types without a structural schema, and keywords of the schema that do not fit.
use client_rs_custom::Schema;
use serde::{Serialize, Serializer};

#[derive(Schema)]
#[schema(crate = client_rs_custom, rule = "self.a &&")]
struct Rule {}

#[derive(Schema)]
#[schema(crate = client_rs_custom, rule(expression = "true", reason = "Because"))]
struct Reason {}

#[derive(Schema, Serialize)]
#[serde(untagged)]
#[schema(crate = client_rs_custom)]
enum Untagged {
    A(String),
    B(i32),
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
enum Mixed {
    Plain,
    Full { size: i32 },
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
enum Several {
    Two(i32, i32),
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Tuple(String, String);

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct MapWithoutKeys {
    #[schema(list_type = "map")]
    parts: Vec<String>,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct KeysWithoutMap {
    #[schema(list_map_keys = ["name"])]
    parts: Vec<String>,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct ListType {
    #[schema(list_type = "bag")]
    parts: Vec<String>,
}

#[derive(Schema, Serialize)]
#[schema(crate = client_rs_custom)]
struct With {
    #[serde(serialize_with = "written")]
    odd: String,
}

fn written<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

#[derive(Schema, Serialize)]
#[schema(crate = client_rs_custom)]
struct Twice {
    #[serde(rename = "b")]
    a: String,
    b: String,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Word {
    #[schema(minimun = 1)]
    a: i32,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Number {
    #[schema(minimum = "one")]
    a: i32,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct WhichDefault {
    #[schema(default)]
    a: i32,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

fn main() {}
