//! Prints parts of a definition as the real server's errors do: with the names of its internal types.

use client_rs_machinery::Json;

use super::super::go;
use super::list;
use super::spec::Common;

/// The fields of a schema: the internal name, the name in JSON, and the text of an unset field.
const SCHEMA: [(&str, &str, &str); 44] = [
    ("ID", "id", "\"\""),
    ("Schema", "$schema", "\"\""),
    ("Ref", "$ref", "null"),
    ("Description", "description", "\"\""),
    ("Type", "type", "\"\""),
    ("Nullable", "nullable", "false"),
    ("Format", "format", "\"\""),
    ("Title", "title", "\"\""),
    ("Default", "default", "null"),
    ("Maximum", "maximum", "null"),
    ("ExclusiveMaximum", "exclusiveMaximum", "false"),
    ("Minimum", "minimum", "null"),
    ("ExclusiveMinimum", "exclusiveMinimum", "false"),
    ("MaxLength", "maxLength", "null"),
    ("MinLength", "minLength", "null"),
    ("Pattern", "pattern", "\"\""),
    ("MaxItems", "maxItems", "null"),
    ("MinItems", "minItems", "null"),
    ("UniqueItems", "uniqueItems", "false"),
    ("MultipleOf", "multipleOf", "null"),
    ("Enum", "enum", "null"),
    ("MaxProperties", "maxProperties", "null"),
    ("MinProperties", "minProperties", "null"),
    ("Required", "required", "null"),
    ("Items", "items", "null"),
    ("AllOf", "allOf", "null"),
    ("OneOf", "oneOf", "null"),
    ("AnyOf", "anyOf", "null"),
    ("Not", "not", "null"),
    ("Properties", "properties", "null"),
    ("AdditionalProperties", "additionalProperties", "null"),
    ("PatternProperties", "patternProperties", "null"),
    ("Dependencies", "dependencies", "null"),
    ("AdditionalItems", "additionalItems", "null"),
    ("Definitions", "definitions", "null"),
    ("ExternalDocs", "externalDocs", "null"),
    ("Example", "example", "null"),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "null"),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", "false"),
    ("XIntOrString", "x-kubernetes-int-or-string", "false"),
    ("XListMapKeys", "x-kubernetes-list-map-keys", "null"),
    ("XListType", "x-kubernetes-list-type", "null"),
    ("XMapType", "x-kubernetes-map-type", "null"),
    ("XValidations", "x-kubernetes-validations", "null"),
];

/// The set fields of a schema, in the order of the internal type: the internal name and the name in JSON.
pub(super) fn set_fields(schema: &Json) -> impl Iterator<Item = (&'static str, &'static str)> {
    SCHEMA.iter().filter(|(_, key, _)| !schema[*key].is_null()).map(|(name, key, _)| (*name, *key))
}

/// Prints a schema.
pub(super) fn schema(schema: &Json) -> String {
    let fields: Vec<String> = SCHEMA
        .iter()
        .map(|(name, key, zero)| {
            let value = &schema[*key];
            let text = if value.is_null() { (*zero).to_owned() } else { field(key, value) };
            format!("\"{name}\":{text}")
        })
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn field(key: &str, value: &Json) -> String {
    match key {
        "allOf" | "oneOf" | "anyOf" => {
            let all: Vec<String> = list(value).map(schema).collect();
            format!("[{}]", all.join(","))
        }
        "not" => schema(value),
        "items" => match value {
            Json::List(all) => {
                let all: Vec<String> = all.iter().map(schema).collect();
                format!("{{\"Schema\":null,\"JSONSchemas\":[{}]}}", all.join(","))
            }
            one => format!("{{\"Schema\":{},\"JSONSchemas\":null}}", schema(one)),
        },
        "properties" | "patternProperties" | "definitions" => {
            let all = value.as_map().into_iter().flatten();
            let all: Vec<String> =
                all.map(|(key, value)| format!("{}:{}", go::quoted(key), schema(value))).collect();
            format!("{{{}}}", all.join(","))
        }
        "additionalProperties" | "additionalItems" => match value {
            Json::Bool(allows) => format!("{{\"Allows\":{allows},\"Schema\":null}}"),
            of => format!("{{\"Allows\":true,\"Schema\":{}}}", schema(of)),
        },
        _ => go::json(value),
    }
}

/// Prints the versions, without the parts that they have in common.
pub(super) fn versions(versions: &Json, common: Common) -> String {
    if versions.as_list().is_none_or(client_rs_machinery::List::is_empty) {
        return if versions.is_null() { "null" } else { "[]" }.to_owned();
    }
    let all: Vec<String> = list(versions)
        .map(|version| {
            let flag = |key: &str| version[key].as_bool() == Some(true);
            let (own, none) = (&version["schema"]["openAPIV3Schema"], "null".to_owned());
            let schema = match (common.schema, version["schema"].is_null()) {
                (false, false) if own.is_null() => "{\"OpenAPIV3Schema\":null}".to_owned(),
                (false, false) => format!("{{\"OpenAPIV3Schema\":{}}}", schema(own)),
                _ => none.clone(),
            };
            let subresources = if common.subresources { none.clone() } else { subresources(version) };
            let columns = if common.columns { none.clone() } else { columns(version) };
            let selectable = if common.selectable { none } else { selectable(version) };
            format!(
                "{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},\"DeprecationWarning\":{},\"Schema\":{schema},\
                 \"Subresources\":{subresources},\"AdditionalPrinterColumns\":{columns},\"SelectableFields\":{selectable}}}",
                go::json(&Json::from(version["name"].as_str().unwrap_or_default())),
                flag("served"),
                flag("storage"),
                flag("deprecated"),
                go::json(&version["deprecationWarning"]),
            )
        })
        .collect();
    format!("[{}]", all.join(","))
}

fn subresources(version: &Json) -> String {
    let subresources = &version["subresources"];
    if subresources.is_null() {
        return "null".to_owned();
    }
    let status = if subresources["status"].is_null() { "null" } else { "{}" };
    let scale = &subresources["scale"];
    let text = |key: &str| go::quoted(scale[key].as_str().unwrap_or_default());
    let scale = if scale.is_null() {
        "null".to_owned()
    } else {
        format!(
            "{{\"SpecReplicasPath\":{},\"StatusReplicasPath\":{},\"LabelSelectorPath\":{}}}",
            text("specReplicasPath"),
            text("statusReplicasPath"),
            go::json(&scale["labelSelectorPath"]),
        )
    };
    format!("{{\"Status\":{status},\"Scale\":{scale}}}")
}

fn columns(version: &Json) -> String {
    let all: Vec<String> = list(&version["additionalPrinterColumns"])
        .map(|column| {
            let text = |key: &str| go::quoted(column[key].as_str().unwrap_or_default());
            format!(
                "{{\"Name\":{},\"Type\":{},\"Format\":{},\"Description\":{},\"Priority\":{},\"JSONPath\":{}}}",
                text("name"),
                text("type"),
                text("format"),
                text("description"),
                column["priority"].as_i64().unwrap_or(0),
                text("jsonPath"),
            )
        })
        .collect();
    if all.is_empty() { "null".to_owned() } else { format!("[{}]", all.join(",")) }
}

fn selectable(version: &Json) -> String {
    let all: Vec<String> = list(&version["selectableFields"])
        .map(|field| format!("{{\"JSONPath\":{}}}", go::json(&field["jsonPath"])))
        .collect();
    if all.is_empty() { "null".to_owned() } else { format!("[{}]", all.join(",")) }
}
