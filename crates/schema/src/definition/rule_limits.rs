//! The CEL types of a schema, and the largest sizes of their values.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_cel::{Limits, Type};
use client_rs_machinery::Json;

use super::{entries, list};

/// The largest request, in bytes. No value in it is larger.
pub(super) const MAX_REQUEST: u64 = 3 * 1024 * 1024;
/// The longest string in a request, without its quotes.
const MAX_TEXT: u64 = MAX_REQUEST - 2;
/// The longest text of a time or a duration.
const MAX_TIME: u64 = 32;
/// The longest text of a date.
const DAY: u64 = 12;
/// The longest name of an object.
const MAX_NAME: u64 = 253;

/// The CEL declaration of a schema.
pub(super) struct Declared {
    pub(super) of: Type,
    pub(super) limits: Limits,
    /// The smallest size of a value in a request, in bytes.
    pub(super) least: u64,
}

impl Declared {
    fn new(of: Type, max: u64, least: u64) -> Self {
        Self { of, limits: Limits { max, ..Limits::default() }, least }
    }

    /// The declaration of a schema, with a name for its type; `None` if rules can't use it.
    pub(super) fn of(schema: &Json, name: &str, is_root: bool) -> Option<Self> {
        let number = |key: &str| schema[key].as_i64().map(|most| u64::try_from(most).unwrap_or(0));
        let characters = number("maxLength");
        if schema["x-kubernetes-int-or-string"].as_bool() == Some(true) {
            let most = characters.map_or(MAX_TEXT, |most| most.saturating_mul(4));
            return Some(Self::new(Type::Dyn, most, 1));
        }
        match schema["type"].as_str()? {
            "array" => {
                let items = Self::of(&schema["items"], &format!("{name}.@idx"), embedded(&schema["items"]))?;
                let most = number("maxItems").unwrap_or(MAX_TEXT / (items.least + 1));
                let limits = Limits { max: most, items: Some(Arc::new(items.limits)), ..Limits::default() };
                Some(Self { of: Type::list(items.of), limits, least: 2 })
            }
            "object" if schema["additionalProperties"].as_map().is_some() => {
                let values = &schema["additionalProperties"];
                let values = Self::of(values, &format!("{name}.@elem"), embedded(values))?;
                let most = number("maxProperties").unwrap_or(MAX_TEXT / (values.least + 6));
                let limits = Limits {
                    max: most,
                    keys: Some(Arc::default()),
                    items: Some(Arc::new(values.limits)),
                    ..Limits::default()
                };
                Some(Self { of: Type::map(values.of), limits, least: 2 })
            }
            "object" => Some(Self::object(schema, name, is_root)),
            "string" => Some(match schema["format"].as_str().unwrap_or_default() {
                "byte" => Self::new(Type::Bytes, characters.unwrap_or(MAX_TEXT), 2),
                "duration" => Self::new(Type::Duration, MAX_TIME, 3),
                "date" => Self::new(Type::Timestamp, DAY, DAY),
                "date-time" => Self::new(Type::Timestamp, MAX_TIME, 21),
                _ => {
                    let choices = list(&schema["enum"]).filter_map(|one| Some(one.as_str()?.len() as u64));
                    let most = match characters {
                        // A character takes at most four bytes.
                        Some(most) => most.saturating_mul(4),
                        None if list(&schema["enum"]).next().is_some() => choices.max().unwrap_or(0),
                        None => MAX_TEXT,
                    };
                    Self::new(Type::Text, most, 2)
                }
            }),
            "boolean" => Some(Self::new(Type::Bool, 0, 4)),
            "number" => Some(Self::new(Type::Double, 0, 1)),
            "integer" => Some(Self::new(Type::Int, 0, 1)),
            _ => None,
        }
    }

    fn object(schema: &Json, name: &str, is_root: bool) -> Self {
        let required = |key: &str| list(&schema["required"]).any(|one| one.as_str() == Some(key));
        let (mut types, mut fields, mut least) = (Vec::new(), BTreeMap::new(), 2);
        let mut add = |key: &str, field: Self, counts: bool| {
            if counts {
                least += key.len() as u64 + field.least + 4;
            }
            types.push((key.to_owned(), field.of));
            fields.insert(key.to_owned(), field.limits);
        };
        for (key, property) in entries(&schema["properties"]) {
            if is_root && ["apiVersion", "kind", "metadata"].contains(&key.as_str()) {
                continue;
            }
            if let Some(field) = Self::of(property, &format!("{name}.{key}"), embedded(property)) {
                add(key, field, required(key) && property["default"].is_null());
            }
        }
        if is_root {
            for key in ["apiVersion", "kind"] {
                add(key, Self::new(Type::Text, MAX_TEXT, 2), required(key));
            }
            let names = &schema["properties"]["metadata"]["properties"];
            let most = |key: &str, most: u64| {
                let own = names[key]["maxLength"].as_i64().and_then(|own| u64::try_from(own).ok());
                own.map_or(most, |own| own.min(most)) * 4
            };
            let known = [("name", MAX_NAME), ("generateName", MAX_NAME - 1)];
            let limit =
                |(key, longest)| (String::from(key), Limits { max: most(key, longest), ..Limits::default() });
            let metadata = Self {
                of: Type::object(format!("{name}.metadata"), known.map(|(key, _)| (key, Type::Text))),
                limits: Limits { fields: known.into_iter().map(limit).collect(), ..Limits::default() },
                least: 2,
            };
            add("metadata", metadata, required("metadata"));
        }
        let of = Type::object(name, types.iter().map(|(key, of)| (key.as_str(), of.clone())));
        Self { of, limits: Limits { fields, ..Limits::default() }, least }
    }
}

/// Whether the schema is an embedded object, with a kind and metadata.
pub(super) fn embedded(schema: &Json) -> bool {
    schema["x-kubernetes-embedded-resource"].as_bool() == Some(true)
}
