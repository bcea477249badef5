//! Facts from a server's `OpenAPI` v3 documents that the Go types lack: list and map types, required fields, defaults,
//! allowed values, unions.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::{Field, Gvk, Schema, Struct, TypeName};
use super::server::Server;

/// The structs of one Go package that have facts in `OpenAPI`, sorted by name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackageExtensions {
    #[serde(rename = "package")]
    pub(crate) path: String,
    pub(crate) structs: Vec<StructExtensions>,
}

/// The facts that `OpenAPI` adds to a struct.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct StructExtensions {
    pub(crate) name: String,
    /// The ownership of the struct, unless a field overrides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) map_type: Option<MapType>,
    /// JSON names, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) required: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unions: Vec<Union>,
    /// Sorted by JSON name; fields without facts are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fields: Vec<FieldExtensions>,
}

/// The facts that `OpenAPI` adds to a field.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct FieldExtensions {
    /// The JSON name.
    pub(crate) json: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) list_type: Option<ListType>,
    /// The keys of a list of type `map`, in the server's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) list_map_keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) map_type: Option<MapType>,
    /// A default that is not the Go type's zero value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<Value>,
    /// The values allowed for the field, or for each entry of a list or map; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) r#enum: Vec<String>,
}

/// How a list is merged and owned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ListType {
    /// As one value.
    Atomic,
    /// By element.
    Set,
    /// By element, which is known by its keys.
    Map,
}

/// How a map or struct is merged and owned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MapType {
    /// As one value.
    Atomic,
    /// By key: the default.
    Granular,
}

/// A struct in which exactly one field should be set.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Union {
    /// The JSON name of the discriminator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) discriminator: Option<String>,
    /// JSON names, each with its value of the discriminator.
    pub(crate) fields: BTreeMap<String, String>,
}

/// The server's documents, one a group version.
pub(crate) struct Documents(Vec<(String, Document)>);

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    paths: BTreeMap<String, BTreeMap<String, Value>>,
    #[serde(default)]
    components: Components,
}

#[derive(Default, Deserialize)]
struct Components {
    #[serde(default)]
    schemas: BTreeMap<String, Value>,
}

impl Documents {
    pub(crate) fn fetch(server: &Server) -> Result<Self> {
        #[derive(Deserialize)]
        struct Index {
            paths: BTreeMap<String, Value>,
        }
        let index: Index = server.get("/openapi/v3")?;
        let documents = index.paths.into_keys().map(|path| {
            let document = server.get(&format!("/openapi/v3/{path}"))?;
            Ok((path, document))
        });
        Ok(Self(documents.collect::<Result<_>>()?))
    }

    /// The kinds whose delete call answers with the object that was deleted, not with a `Status`.
    pub(crate) fn returning_deleted(&self) -> Result<Vec<Gvk>> {
        let mut kinds = Vec::new();
        let operations =
            self.0.iter().flat_map(|(_, document)| &document.paths).filter_map(|(path, methods)| {
                let operation = methods.get("delete")?;
                (operation["x-kubernetes-action"] == "delete").then_some((path, operation))
            });
        for (path, operation) in operations {
            let kind =
                Gvk::deserialize(&operation["x-kubernetes-group-version-kind"]).context(path.clone())?;
            let answer = &operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"];
            let answer = answer.as_str().with_context(|| format!("{path}: no answer to DELETE"))?;
            if !answer.ends_with(".v1.Status") {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }

    /// The documents' facts about each struct of the schema, checked against it: the same properties, the same
    /// patch tags, the same kinds. A struct that no served group uses is not there.
    pub(crate) fn extensions(&self, schema: &Schema) -> Result<Vec<PackageExtensions>> {
        let paths: BTreeMap<String, &String> =
            schema.packages.keys().map(|path| (model_prefix(path), path)).collect();
        let mut structs: BTreeMap<TypeName, StructExtensions> = BTreeMap::new();
        let models = self.0.iter().flat_map(|(document, content)| {
            content.components.schemas.iter().map(move |(model, value)| (document, model, value))
        });
        for (document, model, value) in models {
            let at = || format!("{model} in {document}");
            // A model without properties is an empty struct or a type that is mapped by hand.
            if value.get("properties").is_none() || ASIDE.contains(&model.as_str()) {
                continue;
            }
            let (prefix, name) = model.rsplit_once('.').with_context(at)?;
            let package = paths.get(prefix).with_context(at).context("no Go package")?;
            let name = TypeName { package: (*package).clone(), name: name.to_owned() };
            let of = schema.find(&name).with_context(at).context("no Go struct")?;
            let model = Model::deserialize(value).with_context(at)?;
            let found = model.extensions(schema, of).with_context(at)?;
            let same = structs.get(&name).is_none_or(|known| *known == found);
            ensure!(same, "{}: another document says otherwise", at());
            structs.insert(name, found);
        }
        let mut packages: BTreeMap<String, PackageExtensions> = BTreeMap::new();
        for (name, found) in structs {
            if found != (StructExtensions { name: name.name, ..StructExtensions::default() }) {
                let new = || PackageExtensions { path: name.package.clone(), structs: Vec::new() };
                packages.entry(name.package.clone()).or_insert_with(new).structs.push(found);
            }
        }
        Ok(packages.into_values().collect())
    }
}

/// Models that are not API types: the response of `/version`.
const ASIDE: &[&str] = &["io.k8s.apimachinery.pkg.version.Info"];

/// How `OpenAPI` begins the names of a Go package's types: `k8s.io/api/core/v1` is `io.k8s.api.core.v1`.
fn model_prefix(package: &str) -> String {
    let (host, rest) = package.split_once('/').unwrap_or((package, ""));
    let mut parts: Vec<&str> = host.split('.').rev().collect();
    parts.extend(rest.split('/'));
    parts.join(".")
}

#[derive(Deserialize)]
struct Model {
    properties: BTreeMap<String, Property>,
    #[serde(default)]
    required: Vec<String>,
    #[serde(rename = "x-kubernetes-map-type")]
    map_type: Option<MapType>,
    #[serde(default, rename = "x-kubernetes-unions")]
    unions: Vec<RawUnion>,
    #[serde(default, rename = "x-kubernetes-group-version-kind")]
    kinds: Vec<Gvk>,
}

#[derive(Deserialize)]
struct Property {
    default: Option<Value>,
    #[serde(default)]
    r#enum: Vec<String>,
    items: Option<Entry>,
    #[serde(rename = "additionalProperties")]
    values: Option<Entry>,
    #[serde(rename = "x-kubernetes-list-type")]
    list_type: Option<ListType>,
    #[serde(default, rename = "x-kubernetes-list-map-keys")]
    list_map_keys: Vec<String>,
    #[serde(rename = "x-kubernetes-map-type")]
    map_type: Option<MapType>,
    #[serde(rename = "x-kubernetes-patch-strategy")]
    patch_strategy: Option<String>,
    #[serde(rename = "x-kubernetes-patch-merge-key")]
    patch_merge_key: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    r#enum: Vec<String>,
}

#[derive(Deserialize)]
struct RawUnion {
    discriminator: Option<String>,
    #[serde(rename = "fields-to-discriminateBy")]
    fields: BTreeMap<String, String>,
}

impl Model {
    fn extensions(mut self, schema: &Schema, of: &Struct) -> Result<StructExtensions> {
        let known = of.everywhere || self.kinds.iter().all(|kind| of.kinds.contains(kind));
        ensure!(known, "it serves as {:?}, registered are {:?}", self.kinds, of.kinds);
        let go = schema.json_fields(of);
        let names: Vec<&str> = go.iter().filter_map(|field| field.json.as_deref()).collect();
        ensure!(
            names.len() == self.properties.len()
                && names.iter().all(|name| self.properties.contains_key(*name)),
            "its properties are {:?}, the struct's {names:?}",
            self.properties.keys()
        );
        let mut fields = Vec::new();
        for (json, property) in self.properties {
            let field =
                go.iter().find(|field| field.json.as_deref() == Some(&json)).context("no such field")?;
            let found = property.extensions(json.clone(), field).context(json.clone())?;
            if found != (FieldExtensions { json, ..FieldExtensions::default() }) {
                fields.push(found);
            }
        }
        self.required.sort();
        let unions =
            self.unions.into_iter().map(|raw| Union { discriminator: raw.discriminator, fields: raw.fields });
        Ok(StructExtensions {
            name: of.name.clone(),
            map_type: self.map_type,
            required: self.required,
            unions: unions.collect(),
            fields,
        })
    }
}

impl Property {
    fn extensions(self, json: String, field: &Field) -> Result<FieldExtensions> {
        let mut strategy: Vec<&str> = self.patch_strategy.iter().flat_map(|text| text.split(',')).collect();
        strategy.sort_unstable();
        ensure!(
            strategy == field.patch_strategy && self.patch_merge_key == field.patch_merge_key,
            "its patch tags are {strategy:?} and {:?}, the field's {:?} and {:?}",
            self.patch_merge_key,
            field.patch_strategy,
            field.patch_merge_key
        );
        let entries = [self.items, self.values].into_iter().flatten();
        let mut values: Vec<String> =
            self.r#enum.into_iter().chain(entries.flat_map(|entry| entry.r#enum)).collect();
        values.sort();
        Ok(FieldExtensions {
            json,
            list_type: self.list_type,
            list_map_keys: self.list_map_keys,
            map_type: self.map_type,
            default: self.default.filter(|value| !is_zero(value)),
            r#enum: values,
        })
    }
}

/// Whether a default equals Go's zero value.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_names_turn_the_host_around() {
        assert_eq!(model_prefix("k8s.io/api/core/v1"), "io.k8s.api.core.v1");
        let expected = "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1";
        assert_eq!(model_prefix("k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"), expected);
    }
}
