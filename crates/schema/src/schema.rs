//! The compiled schema of a definition.

use client_rs_machinery::{Json, Str, collections::VecMap};
use regex::Regex;

use super::expressions::Rule;
use super::formats::Format;

/// A compiled schema, or a part of one.
///
/// [`compile`](Self::compile) it once per version of a definition, and use it with
/// [`ObjectRules`](crate::ObjectRules) for all its objects. It is immutable and can be shared between threads.
///
/// ```
/// use client_rs_machinery::{Unstructured, json};
/// use client_rs_schema::{ObjectRules, Schema};
///
/// let schema = Schema::compile(&json!({
///     "type": "object",
///     "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
/// }));
/// let rules = ObjectRules { schema: Some(&schema), ..ObjectRules::default() };
/// let mut object: Unstructured = json!({"kind": "Web", "spec": {"any": 1}, "other": 2}).try_into().unwrap();
/// assert_eq!(rules.prune(&mut object), ["other"]);
/// assert_eq!(object.nested_i64(&["spec", "any"]), Ok(Some(1)));
/// ```
// Each flag is a keyword of the schema.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The type; empty for any.
    pub(crate) kind: Str,
    pub(crate) nullable: bool,
    pub(crate) default: Option<Json>,
    pub(crate) int_or_string: bool,
    pub(crate) preserve_unknown: bool,
    pub(crate) embedded: bool,
    pub(crate) list_type: ListType,
    pub(crate) list_keys: Vec<Str>,
    pub(crate) items: Option<Box<Schema>>,
    pub(crate) properties: VecMap<Str, Schema>,
    pub(crate) additional: Option<Additional>,
    pub(crate) rules: ValueRules,
    /// The rules of `x-kubernetes-validations`.
    pub(crate) expressions: Vec<Rule>,
}

/// The values of keys that are not properties.
#[derive(Clone, Debug)]
pub(crate) enum Additional {
    Allowed(bool),
    Of(Box<Schema>),
}

/// The identity of the items of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    #[default]
    Atomic,
    Set,
    Map,
}

/// The constraints on a value in addition to its type.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueRules {
    /// The name of the format, for errors; empty if it is missing or not supported.
    pub(crate) format_name: Str,
    pub(crate) format: Option<Format>,
    pub(crate) maximum: Option<Bound>,
    pub(crate) minimum: Option<Bound>,
    pub(crate) multiple_of: Option<f64>,
    pub(crate) max_length: Option<i64>,
    pub(crate) min_length: Option<i64>,
    /// The pattern as text and compiled.
    pub(crate) pattern: Option<(Str, Regex)>,
    pub(crate) max_items: Option<i64>,
    pub(crate) min_items: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) min_properties: Option<i64>,
    pub(crate) values: Vec<Json>,
    pub(crate) required: Vec<Str>,
    pub(crate) all_of: Vec<Schema>,
    pub(crate) any_of: Vec<Schema>,
    pub(crate) one_of: Vec<Schema>,
    pub(crate) not: Option<Box<Schema>>,
}

/// A bound of a range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) at: f64,
    pub(crate) exclusive: bool,
}

impl Schema {
    /// Compiles the `openAPIV3Schema` of a definition. It never fails: keywords and values that
    /// [`definition::check`](crate::definition::check) refuses are ignored, so check an untrusted schema first.
    pub fn compile(schema: &Json) -> Self {
        let flag = |key: &str| schema[key].as_bool() == Some(true);
        let text = |key: &str| schema[key].as_shared_str().cloned().unwrap_or_default();
        let texts = |key: &str| -> Vec<Str> {
            let all = schema[key].as_list().into_iter().flatten();
            all.filter_map(|value| value.as_shared_str().cloned()).collect()
        };
        let properties = schema["properties"].as_map().into_iter().flatten();
        let items = match &schema["items"] {
            items @ Json::Map(_) => Some(Box::new(Self::compile(items))),
            _ => None,
        };
        let additional = match &schema["additionalProperties"] {
            Json::Bool(allowed) => Some(Additional::Allowed(*allowed)),
            of @ Json::Map(_) => Some(Additional::Of(Box::new(Self::compile(of)))),
            _ => None,
        };
        Self {
            kind: text("type"),
            nullable: flag("nullable"),
            default: Some(&schema["default"]).filter(|value| !value.is_null()).cloned(),
            int_or_string: flag("x-kubernetes-int-or-string"),
            preserve_unknown: flag("x-kubernetes-preserve-unknown-fields"),
            embedded: flag("x-kubernetes-embedded-resource"),
            list_type: match schema["x-kubernetes-list-type"].as_str() {
                Some("set") => ListType::Set,
                Some("map") => ListType::Map,
                _ => ListType::Atomic,
            },
            list_keys: texts("x-kubernetes-list-map-keys"),
            items,
            properties: properties.map(|(key, value)| (key.clone(), Self::compile(value))).collect(),
            additional,
            rules: ValueRules::compile(schema, texts("required")),
            expressions: schema["x-kubernetes-validations"]
                .as_list()
                .into_iter()
                .flatten()
                .map(Rule::compile)
                .collect(),
        }
    }

    /// The schema of a key; `None` if it has none.
    pub(crate) fn below(&self, key: &str) -> Option<&Schema> {
        self.properties.get(key).or(match &self.additional {
            Some(Additional::Of(schema)) => Some(schema),
            _ => None,
        })
    }

    /// The allowed types of a value.
    pub(crate) fn kinds(&self) -> Vec<&str> {
        if self.int_or_string {
            return vec!["integer", "string"];
        }
        if self.kind.is_empty() { Vec::new() } else { vec![&self.kind] }
    }
}

impl ValueRules {
    fn compile(schema: &Json, required: Vec<Str>) -> Self {
        let integer = |key: &str| schema[key].as_i64();
        let number = |key: &str| schema[key].as_f64();
        let bound = |key: &str, exclusive: &str| {
            number(key).map(|at| Bound { at, exclusive: schema[exclusive].as_bool() == Some(true) })
        };
        let several = |key: &str| -> Vec<Schema> {
            schema[key].as_list().into_iter().flatten().map(Schema::compile).collect()
        };
        let pattern = schema["pattern"].as_shared_str().filter(|pattern| !pattern.is_empty());
        let (format_name, format) = Format::of(schema);
        Self {
            format_name,
            format,
            maximum: bound("maximum", "exclusiveMaximum"),
            minimum: bound("minimum", "exclusiveMinimum"),
            multiple_of: number("multipleOf"),
            max_length: integer("maxLength"),
            min_length: integer("minLength"),
            pattern: pattern.and_then(|text| Some((text.clone(), client_rs_cel::go::pattern(text).ok()?))),
            max_items: integer("maxItems"),
            min_items: integer("minItems"),
            max_properties: integer("maxProperties"),
            min_properties: integer("minProperties"),
            values: schema["enum"].as_list().map(|all| all.to_vec()).unwrap_or_default(),
            required,
            all_of: several("allOf"),
            any_of: several("anyOf"),
            one_of: several("oneOf"),
            not: schema["not"].as_map().map(|_| Box::new(Schema::compile(&schema["not"]))),
        }
    }
}
