//! Converts schemas to types.

use std::collections::BTreeSet;

use client_rs_machinery::{Json, json, validation};

use crate::generate::names;
use crate::generate::{GenerateError, GenerateOptions};

/// A kind in one version.
// The field `kind` has Kubernetes' name, and each flag is a flag of the definition.
#[allow(clippy::struct_field_names, clippy::struct_excessive_bools)]
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) namespaced: bool,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) has_status: bool,
    /// Whether the status is a subresource.
    pub(crate) status_subresource: bool,
    /// Whether an object may have no spec.
    pub(crate) optional_spec: bool,
    /// Whether there are fields next to the spec and the status.
    pub(crate) has_extra: bool,
    pub(crate) has_scale: Option<[String; 3]>,
    pub(crate) description: String,
    /// The name of its module.
    pub(crate) module: String,
    /// The name of the struct of the kind.
    pub(crate) root: String,
    /// The struct of the spec first, then those of the status and of the extra fields, if there are any.
    pub(crate) structs: Vec<Struct>,
}

#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) fields: Vec<Field>,
    /// The name of the field that keeps unknown fields.
    pub(crate) other: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) json: String,
    pub(crate) ty: String,
    pub(crate) required: bool,
    pub(crate) description: String,
    /// The allowed values, if the field is an enumeration.
    pub(crate) values: Vec<String>,
}

pub(crate) fn kinds(definition: &Json, options: &GenerateOptions) -> Result<Vec<Kind>, GenerateError> {
    let kind = definition["kind"].as_str().unwrap_or_default();
    let api_version = definition["apiVersion"].as_str().unwrap_or_default();
    if kind != "CustomResourceDefinition" || api_version != "apiextensions.k8s.io/v1" {
        return Err(GenerateError::NotADefinition(format!("{api_version} {kind}")));
    }
    let name = definition["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let missing = |path| GenerateError::Missing { definition: name.clone(), path };
    let spec = &definition["spec"];
    check_names(&name, spec)?;
    let text = |value: &Json, path| value.as_str().map(str::to_owned).ok_or_else(|| missing(path));
    let texts = |value: &Json| -> Vec<String> {
        value.as_list().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
    };
    let versions = spec["versions"].as_list().ok_or_else(|| missing("spec.versions"))?;
    let mut found = Vec::new();
    for version in
        versions.iter().filter(|version| options.unserved || version["served"].as_bool() == Some(true))
    {
        let version_name = text(&version["name"], "spec.versions[].name")?;
        let schema = &version["schema"]["openAPIV3Schema"];
        let properties = &schema["properties"];
        let kind = text(&spec["names"]["kind"], "spec.names.kind")?;
        let mut types = Types { structs: Vec::new(), taken: BTreeSet::new(), apply: options.apply };
        let mut root = names::type_name(&kind);
        while !types.take(&root) {
            root.push_str("Object");
        }
        types.root(&format!("{root}Spec"), &properties["spec"]);
        let subresources = &version["subresources"];
        let has_status = properties["status"].as_map().is_some();
        let status_subresource = has_status && subresources["status"].as_map().is_some();
        if has_status {
            types.root(&format!("{root}Status"), &properties["status"]);
        }
        let extra = extra(schema);
        if let Some(extra) = &extra {
            types.root(&format!("{root}Extra"), extra);
        }
        let scale = &subresources["scale"];
        let has_scale = (has_status && scale.as_map().is_some()).then(|| {
            ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"]
                .map(|path| scale[path].as_str().unwrap_or_default().to_owned())
        });
        found.push(Kind {
            group: text(&spec["group"], "spec.group")?,
            version: version_name,
            plural: text(&spec["names"]["plural"], "spec.names.plural")?,
            singular: match spec["names"]["singular"].as_str() {
                None | Some("") => kind.to_lowercase(),
                Some(singular) => singular.to_owned(),
            },
            kind,
            namespaced: spec["scope"].as_str() == Some("Namespaced"),
            short_names: texts(&spec["names"]["shortNames"]),
            categories: texts(&spec["names"]["categories"]),
            has_status,
            status_subresource,
            optional_spec: !schema["required"]
                .as_list()
                .into_iter()
                .flatten()
                .any(|name| name.as_str() == Some("spec")),
            has_extra: extra.is_some(),
            has_scale,
            description: schema["description"].as_str().unwrap_or_default().to_owned(),
            module: String::new(),
            root,
            structs: types.structs,
        });
    }
    Ok(found)
}

/// Names become identifiers and strings of the code, so only names that a server accepts are allowed.
fn check_names(definition: &str, spec: &Json) -> Result<(), GenerateError> {
    type Rule = fn(&str) -> validation::Result;
    let kind: Rule = |kind| validation::dns1035_label(&kind.to_ascii_lowercase());
    let label: Rule = validation::dns1035_label;
    let names = &spec["names"];
    let all = |list: &Json, path, rule| {
        let texts: Vec<&str> = list.as_list().into_iter().flatten().filter_map(Json::as_str).collect();
        texts.into_iter().map(move |text| (path, text.to_owned(), rule)).collect::<Vec<_>>()
    };
    let one = |value: &Json, path, rule| all(&json!([value.clone()]), path, rule);
    let versions: Vec<Json> =
        spec["versions"].as_list().into_iter().flatten().map(|version| version["name"].clone()).collect();
    let singular = one(&names["singular"], "spec.names.singular", label);
    let found: [Vec<(&'static str, String, Rule)>; 7] = [
        one(&spec["group"], "spec.group", validation::dns1123_subdomain),
        all(&json!(versions), "spec.versions[].name", label),
        one(&names["kind"], "spec.names.kind", kind),
        one(&names["plural"], "spec.names.plural", label),
        // An empty name defaults to the name of the kind.
        singular.into_iter().filter(|(_, text, _)| !text.is_empty()).collect(),
        all(&names["shortNames"], "spec.names.shortNames", label),
        all(&names["categories"], "spec.names.categories", label),
    ];
    for (path, value, rule) in found.into_iter().flatten() {
        if let Err(broken) = rule(&value) {
            let definition = definition.to_owned();
            return Err(GenerateError::InvalidName { definition, path, value, rule: broken.to_string() });
        }
    }
    Ok(())
}

/// The names that every module already uses, and those of the language that its code uses.
const USED: [&str; 25] = [
    "Apply",
    "BTreeMap",
    "Box",
    "Clone",
    "Condition",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Err",
    "IntOrString",
    "Json",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Quantity",
    "Result",
    "Schema",
    "Self",
    "Serialize",
    "Some",
    "String",
    "Time",
    "Vec",
];

/// The schema of the extra fields of an object; `None` if there are none and unknown fields are not kept.
fn extra(schema: &Json) -> Option<Json> {
    let known = ["apiVersion", "kind", "metadata", "spec", "status"];
    let properties = schema["properties"].as_map();
    let open = schema["x-kubernetes-preserve-unknown-fields"].as_bool() == Some(true);
    let mut fields = Json::EMPTY_MAP;
    for (name, property) in properties.into_iter().flatten() {
        if !known.contains(&name.as_str()) {
            let _ = fields.set(&[name.as_str()], property.clone());
        }
    }
    let some = open || fields.as_map().is_some_and(|fields| !fields.is_empty());
    some.then(|| {
        let required = schema["required"].as_list().into_iter().flatten();
        let required: Vec<Json> =
            required.filter(|name| !known.contains(&name.as_str().unwrap_or_default())).cloned().collect();
        json!({"type": "object", "properties": fields, "required": required})
    })
}

struct Types {
    structs: Vec<Struct>,
    taken: BTreeSet<String>,
    apply: bool,
}

impl Types {
    /// Reserves a name and that of its apply configuration. Returns whether both were free.
    fn take(&mut self, name: &str) -> bool {
        let configuration = self.apply.then(|| format!("{name}Apply"));
        let names: Vec<String> = std::iter::once(name.to_owned()).chain(configuration).collect();
        let free = names.iter().all(|name| !self.taken.contains(name) && !USED.contains(&name.as_str()));
        self.taken.extend(names);
        free
    }

    /// The struct of a spec or a status, for any schema.
    fn root(&mut self, name: &str, schema: &Json) {
        self.take(name);
        let place = self.structs.len();
        let empty = Struct {
            name: name.to_owned(),
            description: text(schema),
            fields: Vec::new(),
            other: "other".to_owned(),
        };
        self.structs.push(empty);
        self.fill(place, name, schema);
    }

    fn fill(&mut self, place: usize, name: &str, schema: &Json) {
        let required: BTreeSet<&str> =
            schema["required"].as_list().into_iter().flatten().filter_map(Json::as_str).collect();
        let mut fields: Vec<Field> = Vec::new();
        for (json, property) in schema["properties"].as_map().into_iter().flatten() {
            let mut field = names::field(json);
            while fields.iter().any(|known| known.name == field) {
                field.push('_');
            }
            let ty = self.type_of(&format!("{name}{}", names::type_name(json)), property);
            let nullable = property["nullable"].as_bool() == Some(true);
            let required = required.contains(json.as_str()) && !nullable;
            fields.push(Field {
                name: field,
                json: json.to_string(),
                ty,
                required,
                description: text(property),
                values: values(property),
            });
        }
        let mut other = "other".to_owned();
        while fields.iter().any(|field| field.name == other) {
            other.push('_');
        }
        self.structs[place].fields = fields;
        self.structs[place].other = other;
    }

    fn type_of(&mut self, name: &str, schema: &Json) -> String {
        if schema["x-kubernetes-int-or-string"].as_bool() == Some(true) {
            let quantity = schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("[KMGTPE]i"));
            return if quantity { "Quantity" } else { "IntOrString" }.to_owned();
        }
        match schema["type"].as_str().unwrap_or_default() {
            "string" if schema["format"].as_str() == Some("date-time") => "Time".to_owned(),
            "string" => "String".to_owned(),
            "boolean" => "bool".to_owned(),
            "integer" if schema["format"].as_str() == Some("int32") => "i32".to_owned(),
            "integer" => "i64".to_owned(),
            "number" => "f64".to_owned(),
            "array" => {
                let items = &schema["items"];
                if is_condition(items) {
                    "Vec<Condition>".to_owned()
                } else {
                    format!("Vec<{}>", self.inner(name, items))
                }
            }
            "object" => self.object(name, schema),
            _ => "Json".to_owned(),
        }
    }

    /// The type of the items of a list or a map. It is an `Option` if an item may be `null`.
    fn inner(&mut self, name: &str, schema: &Json) -> String {
        let ty = self.type_of(name, schema);
        if schema["nullable"].as_bool() == Some(true) { format!("Option<{ty}>") } else { ty }
    }

    fn object(&mut self, name: &str, schema: &Json) -> String {
        if schema["properties"].as_map().is_some_and(|properties| !properties.is_empty()) {
            let mut unique = name.to_owned();
            let mut number = 2;
            while !self.take(&unique) {
                unique = format!("{name}{number}");
                number += 1;
            }
            let place = self.structs.len();
            let description = text(schema);
            self.structs.push(Struct {
                name: unique.clone(),
                description,
                fields: Vec::new(),
                other: String::new(),
            });
            self.fill(place, &unique, schema);
            return unique;
        }
        match &schema["additionalProperties"] {
            values @ Json::Map(_) => format!("BTreeMap<String, {}>", self.inner(name, values)),
            _ => "Json".to_owned(),
        }
    }
}

/// Whether a list item has the fields of a `Condition` of `meta/v1`.
fn is_condition(schema: &Json) -> bool {
    let Some(properties) = schema["properties"].as_map() else { return false };
    let mut names: Vec<&str> = properties.keys().map(client_rs_machinery::Str::as_str).collect();
    names.sort_unstable();
    names == ["lastTransitionTime", "message", "observedGeneration", "reason", "status", "type"]
}

fn text(schema: &Json) -> String {
    schema["description"].as_str().unwrap_or_default().to_owned()
}

/// The allowed strings of a field, if the schema lists them.
fn values(schema: &Json) -> Vec<String> {
    let values = schema["enum"].as_list().into_iter().flatten();
    values.filter_map(Json::as_str).map(str::to_owned).collect()
}
