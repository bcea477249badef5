//! Building blocks of schemas, for derived code and for schemas written by hand.

use crate::{Json, List, Map, Str, json};

/// The schema of an object, property by property.
#[derive(Clone, Debug, Default)]
pub struct ObjectSchema {
    description: Str,
    properties: Map<Json>,
    required: Vec<Str>,
    any_of: Vec<Json>,
    open: bool,
}

impl ObjectSchema {
    /// Creates an object without properties.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the description, unless the text is empty.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.description = text.into();
        self
    }

    /// Adds a property, or replaces it.
    #[must_use]
    pub fn property(mut self, name: &str, schema: Json, required: bool) -> Self {
        self.properties.insert(name, schema);
        if required && !self.required.iter().any(|known| known == name) {
            self.required.push(name.into());
        }
        self
    }

    /// Adds the properties of another object, as `#[serde(flatten)]` does. Those of an optional object are not
    /// required. A flattened value without properties, such as a map, makes this object accept any field.
    #[must_use]
    pub fn flatten(mut self, schema: &Json, optional: bool) -> Self {
        let keeps = schema["x-kubernetes-preserve-unknown-fields"].as_bool() == Some(true);
        match schema["properties"].as_map() {
            Some(properties) => {
                for (name, property) in properties {
                    self.properties.insert(name.clone(), property.clone());
                }
                self.open |= keeps;
            }
            None => self.open = true,
        }
        if !optional {
            for name in schema["required"].as_list().into_iter().flatten().filter_map(Json::as_shared_str) {
                if !self.required.contains(name) {
                    self.required.push(name.clone());
                }
            }
            for key in ["oneOf", "anyOf"] {
                if let Some(choices) = schema[key].as_list() {
                    self.any_of.push(json!({key: choices.clone()}));
                }
            }
        }
        self
    }

    /// Accepts any further property.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.open = true;
        self
    }

    /// Returns the schema.
    pub fn build(self) -> Json {
        let mut schema = json!({"type": "object"});
        describe(&mut schema, &self.description);
        if !self.properties.is_empty() {
            set(&mut schema, "properties", Json::Map(self.properties));
        }
        if !self.required.is_empty() {
            set(&mut schema, "required", self.required.into_iter().collect::<Json>());
        }
        if !self.any_of.is_empty() {
            set(&mut schema, "allOf", self.any_of);
        }
        if self.open {
            set(&mut schema, "x-kubernetes-preserve-unknown-fields", true);
        }
        schema
    }
}

/// Returns a schema that is one of several objects: the properties of all, and which of them belong together.
///
/// With `None` for the tag, a variant is identified by its only property. If two variants have different schemas for
/// one property, the property accepts any value: a structural schema has one schema per property.
pub fn union(tag: Option<&str>, variants: &[(&str, Json)]) -> Json {
    let mut all = ObjectSchema::new();
    let mut choices = List::EMPTY;
    let mut names = List::EMPTY;
    for (name, schema) in variants {
        for (key, property) in schema["properties"].as_map().into_iter().flatten() {
            let seen = all.properties.get(key.as_str());
            let property = match seen {
                Some(seen) if seen != property => json!({"x-kubernetes-preserve-unknown-fields": true}),
                _ => property.clone(),
            };
            all.properties.insert(key.clone(), property);
        }
        all.open |= schema["x-kubernetes-preserve-unknown-fields"].as_bool() == Some(true);
        let mut required: Vec<Str> = schema["required"]
            .as_list()
            .into_iter()
            .flatten()
            .filter_map(Json::as_shared_str)
            .cloned()
            .collect();
        match tag {
            None => choices.push(json!({"required": required})),
            Some(tag) => {
                required.insert(0, tag.into());
                choices.push(json!({"properties": {tag: {"enum": [*name]}}, "required": required}));
                names.push(Json::from(*name));
            }
        }
    }
    if let Some(tag) = tag {
        all = all.property(tag, json!({"type": "string", "enum": names}), true);
    }
    let mut schema = all.build();
    set(&mut schema, "oneOf", Json::List(choices));
    schema
}

/// Sets a keyword of a schema.
pub fn set(schema: &mut Json, word: &str, value: impl Into<Json>) {
    // A schema is an object, so this never fails.
    let _ = schema.set(&[word], value);
}

/// Changes the schema of a list's items (`items`) or a map's values (`additionalProperties`), if it exists.
pub fn set_within(schema: &mut Json, within: &str, change: impl FnOnce(&mut Json)) {
    if let Some(inner) = schema.path_mut(&[within]).filter(|inner| inner.as_map().is_some()) {
        change(inner);
    }
}

/// Replaces the description of a type by this text, unless the text is empty.
pub fn describe(schema: &mut Json, text: &str) {
    if !text.is_empty() {
        set(schema, "description", text);
    }
}

/// Returns the schema with `null` allowed.
#[must_use]
pub fn nullable(mut schema: Json) -> Json {
    set(&mut schema, "nullable", true);
    // If the schema lists its values, `null` must be among them.
    if let Some(Json::List(values)) = schema.path_mut(&["enum"])
        && !values.iter().any(Json::is_null)
    {
        values.push(Json::Null);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, kind: &str) -> Json {
        ObjectSchema::new().property(name, json!({"type": kind}), true).build()
    }

    #[test]
    fn an_object_is_built_property_by_property() {
        let schema = ObjectSchema::new()
            .description("A thing.")
            .property("a", json!({"type": "string"}), true)
            .property("b", json!({"type": "integer"}), false)
            .build();
        let expected = json!({
            "type": "object", "description": "A thing.",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"],
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn flatten_adds_properties_and_a_map_accepts_any_field() {
        let one = ObjectSchema::new().flatten(&object("a", "string"), false).build();
        assert_eq!(one["required"], json!(["a"]));
        let optional = ObjectSchema::new().flatten(&object("a", "string"), true).build();
        assert!(optional.get("required").is_none() && optional["properties"].get("a").is_some());
        let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
        let open = ObjectSchema::new().flatten(&map, false).build();
        assert_eq!(open["x-kubernetes-preserve-unknown-fields"], json!(true));
    }

    #[test]
    fn a_union_groups_the_properties_of_a_variant() {
        let of_keys = union(None, &[("a", object("a", "string")), ("b", object("b", "integer"))]);
        assert_eq!(of_keys["oneOf"], json!([{"required": ["a"]}, {"required": ["b"]}]));
        let tagged = union(Some("kind"), &[("A", object("x", "string")), ("B", object("x", "integer"))]);
        assert_eq!(tagged["properties"]["kind"], json!({"type": "string", "enum": ["A", "B"]}));
        assert_eq!(tagged["properties"]["x"], json!({"x-kubernetes-preserve-unknown-fields": true}));
        assert_eq!(tagged["required"], json!(["kind"]));
        assert_eq!(
            tagged["oneOf"][1],
            json!({"properties": {"kind": {"enum": ["B"]}}, "required": ["kind", "x"]})
        );
    }

    #[test]
    fn null_is_among_the_listed_values() {
        let schema = nullable(json!({"type": "string", "enum": ["a"]}));
        assert_eq!(schema, json!({"type": "string", "enum": ["a", null], "nullable": true}));
    }
}
