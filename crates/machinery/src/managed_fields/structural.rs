//! Schemas from the structural schema of a custom resource.

use super::schema::{Field, ListRule, ListType, MapType, MergeSchema, Scalar, Type, TypeId};
use crate::Json;

impl MergeSchema {
    /// Builds the schema of a custom resource's version, with its root, from its `openAPIV3Schema`. The schema need
    /// not contain the fields of every object (`apiVersion`, `kind`, `metadata`).
    ///
    /// `preserve_unknown` is for a version that keeps unknown fields. For a version without a schema, pass `null`. A
    /// schema that is not structural is read as far as possible: a type that is not understood allows any value.
    pub fn from_structural(schema: &Json, preserve_unknown: bool) -> (Self, TypeId) {
        let mut types = Types(Vec::new());
        if schema.as_map().is_none() {
            return (Self::new(types.0), Self::DEDUCED);
        }
        let root = types.add(schema, preserve_unknown);
        let metadata = types.metadata();
        let own = root.checked_sub(Self::OWN).and_then(|at| usize::try_from(at).ok());
        let root_type = own.and_then(|at| types.0.get_mut(at));
        if let Some(map) = root_type.and_then(|root| root.map.as_mut()) {
            let fields = map.fields.to_mut();
            let always = [("apiVersion", Self::STRING), ("kind", Self::STRING), ("metadata", metadata)];
            for (name, ty) in always {
                fields.retain(|field| field.name != name);
                fields.push(Field::new(name, ty));
            }
            fields.sort_by(|left, right| left.name.cmp(&right.name));
        }
        (Self::new(types.0), root)
    }
}

struct Types(Vec<Type>);

impl Types {
    fn push(&mut self, ty: Type) -> TypeId {
        self.0.push(ty);
        MergeSchema::OWN + TypeId::try_from(self.0.len() - 1).unwrap_or(TypeId::MAX)
    }

    fn add(&mut self, schema: &Json, preserve: bool) -> TypeId {
        let flag = |key: &str| schema[key].as_bool().unwrap_or(false);
        let preserve = preserve || flag("x-kubernetes-preserve-unknown-fields");
        if flag("x-kubernetes-int-or-string") {
            return MergeSchema::DEDUCED;
        }
        match schema["type"].as_str().unwrap_or_default() {
            "integer" | "number" => MergeSchema::NUMBER,
            "boolean" => MergeSchema::BOOLEAN,
            "string" => match schema["format"].as_str().unwrap_or_default() {
                "" | "byte" => MergeSchema::STRING,
                _ => MergeSchema::SCALAR,
            },
            "array" => {
                let list = self.list(schema, preserve);
                self.push(Type { list: Some(list), ..Type::default() })
            }
            "object" => {
                let map = self.map(schema, preserve);
                self.push(Type { map: Some(map), ..Type::default() })
            }
            _ => {
                let (list, map) = (self.list(schema, preserve), self.map(schema, preserve));
                self.push(Type { scalar: Some(Scalar::Any), list: Some(list), map: Some(map) })
            }
        }
    }

    fn list(&mut self, schema: &Json, preserve: bool) -> ListType {
        let item = match schema.get("items") {
            Some(items) if items.as_map().is_some() => self.add(items, preserve),
            _ => MergeSchema::ATOMIC,
        };
        let rule = match schema["x-kubernetes-list-type"].as_str().unwrap_or_default() {
            "set" => ListRule::Set,
            "map" => {
                let keys = schema["x-kubernetes-list-map-keys"].as_list().into_iter().flatten();
                let keys: Vec<_> = keys.filter_map(Json::as_str).map(|key| key.to_owned().into()).collect();
                ListRule::Map(keys.into())
            }
            _ => ListRule::Atomic,
        };
        ListType { item, rule }
    }

    fn map(&mut self, schema: &Json, preserve: bool) -> MapType {
        let properties = schema["properties"].as_map().into_iter().flatten();
        let fields: Vec<Field> = properties
            .map(|(name, property)| Field {
                name: name.to_string().into(),
                ty: self.add(property, preserve),
                default: property
                    .get("default")
                    .filter(|value| !value.is_null())
                    .map(|value| value.to_string().into()),
            })
            .collect();
        let values = match schema.get("additionalProperties") {
            Some(Json::Bool(false)) => None,
            Some(Json::Bool(true)) => Some(MergeSchema::DEDUCED),
            Some(values) if values.as_map().is_some() => Some(self.add(values, preserve)),
            _ => (preserve || fields.is_empty()).then_some(MergeSchema::DEDUCED),
        };
        let atomic = schema["x-kubernetes-map-type"].as_str() == Some("atomic");
        // The object's own map is sorted by key already.
        MapType { fields: fields.into(), values, atomic }
    }

    /// `ObjectMeta`, which a custom resource's schema does not describe.
    fn metadata(&mut self) -> TypeId {
        let texts = self.push(Type::map(MergeSchema::STRING, false));
        let finalizers = self.push(Type::list(MergeSchema::STRING, ListRule::Set));
        let owner = self.push(Type::object(
            const {
                &[
                    Field::new("apiVersion", MergeSchema::STRING),
                    Field::new("blockOwnerDeletion", MergeSchema::BOOLEAN),
                    Field::new("controller", MergeSchema::BOOLEAN),
                    Field::new("kind", MergeSchema::STRING),
                    Field::new("name", MergeSchema::STRING),
                    Field::with_default("uid", MergeSchema::STRING, "\"\""),
                ]
            },
            true,
        ));
        let owners = self.push(Type::list(owner, ListRule::Map(vec!["uid".into()].into())));
        let managers = self.push(Type::list(MergeSchema::ATOMIC, ListRule::Atomic));
        let fields = vec![
            Field::new("annotations", texts),
            Field::new("creationTimestamp", MergeSchema::SCALAR),
            Field::new("deletionGracePeriodSeconds", MergeSchema::NUMBER),
            Field::new("deletionTimestamp", MergeSchema::SCALAR),
            Field::new("finalizers", finalizers),
            Field::new("generateName", MergeSchema::STRING),
            Field::new("generation", MergeSchema::NUMBER),
            Field::new("labels", texts),
            Field::new("managedFields", managers),
            Field::new("name", MergeSchema::STRING),
            Field::new("namespace", MergeSchema::STRING),
            Field::new("ownerReferences", owners),
            Field::new("resourceVersion", MergeSchema::STRING),
            Field::new("selfLink", MergeSchema::STRING),
            Field::new("uid", MergeSchema::STRING),
        ];
        let map = MapType { fields: fields.into(), values: None, atomic: false };
        self.push(Type { map: Some(map), ..Type::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn widget() -> Json {
        json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {
                "size": {"type": "integer"},
                "when": {"type": "string", "format": "date-time"},
                "port": {"x-kubernetes-int-or-string": true},
                "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                "parts": {
                    "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "kind"],
                    "items": {"type": "object", "properties": {
                        "name": {"type": "string"}, "kind": {"type": "string", "default": "bolt"},
                        "count": {"type": "integer"},
                    }},
                },
                "whole": {"type": "object", "x-kubernetes-map-type": "atomic",
                          "additionalProperties": {"type": "string"}},
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            }},
        }})
    }

    #[test]
    fn a_custom_resource_is_owned_by_its_schema() {
        let (schema, root) = MergeSchema::from_structural(&widget(), false);
        let object = json!({
            "apiVersion": "x.io/v1", "kind": "Widget",
            "metadata": {"name": "w", "labels": {"a": "b"}, "finalizers": ["x.io/f"]},
            "spec": {
                "size": 1, "when": "2026-01-01T00:00:00Z", "port": "http", "tags": ["a"],
                "parts": [{"name": "n", "count": 2}], "whole": {"k": "v"}, "free": {"x": {"y": [1]}},
            },
        });
        let root = schema.root(root);
        root.validate(&object, false).unwrap();
        let fields: Vec<String> = root.fields_of(&object).iter().map(|path| path.to_string()).collect();
        for expected in [
            r#".metadata.finalizers[="x.io/f"]"#,
            ".metadata.labels.a",
            ".spec.size",
            ".spec.port",
            r#".spec.tags[="a"]"#,
            r#".spec.parts[kind="bolt",name="n"].count"#,
            ".spec.whole",
            ".spec.free.x.y",
        ] {
            assert!(fields.iter().any(|path| path == expected), "no {expected} in {fields:?}");
        }
        assert!(!fields.iter().any(|path| path == ".spec.whole.k"));
    }

    #[test]
    fn unknown_fields_are_refused_or_kept() {
        let (schema, root) = MergeSchema::from_structural(&widget(), false);
        let odd = json!({"apiVersion": "x.io/v1", "kind": "Widget", "spec": {"odd": 1}});
        let error = schema.root(root).validate(&odd, false).unwrap_err();
        assert_eq!(error.to_string(), ".spec.odd: field not declared in schema");
        for (schema, preserve) in [(widget(), true), (Json::Null, false), (json!({"type": "object"}), false)]
        {
            let (schema, root) = MergeSchema::from_structural(&schema, preserve);
            schema.root(root).validate(&odd, false).unwrap();
        }
    }

    #[test]
    fn an_invalid_schema_does_not_panic() {
        for schema in
            [json!({"type": 1}), json!({"type": "array", "items": 3}), json!([]), json!({"properties": 1})]
        {
            let (schema, root) = MergeSchema::from_structural(&schema, false);
            let _ = schema.root(root).fields_of(&json!({"a": [1, {"b": null}]}));
        }
    }
}
