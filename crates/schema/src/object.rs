//! The rules of a definition for the objects of one version.

use client_rs_machinery::{FieldError, FieldErrorKind, Json, Unstructured};

use super::schema::{Additional, Schema};
use super::{defaults, embedded, expressions, go, lists, prune, value};

/// The rules of a definition for the objects of one version: reads, prunes, defaults and validates them.
///
/// Use it for each object that a client sends: first [`read`](Self::read), then [`validate`](Self::validate). It
/// borrows a compiled [`Schema`] and is cheap to create.
///
/// ```
/// use client_rs_machinery::{Unstructured, json};
/// use client_rs_schema::{ObjectRules, Schema};
///
/// let schema = Schema::compile(&json!({
///     "type": "object",
///     "properties": {"spec": {
///         "type": "object",
///         "properties": {"min": {"type": "integer"}, "max": {"type": "integer", "default": 10}},
///         "x-kubernetes-validations": [{"rule": "self.min <= self.max", "message": "min must not exceed max"}],
///     }},
/// }));
/// let rules = ObjectRules { schema: Some(&schema), ..ObjectRules::default() };
/// let object: Unstructured = json!({"kind": "Range", "spec": {"min": 11}}).try_into().unwrap();
///
/// let object = rules.read(object).unwrap().object;
/// let errors = rules.validate(&object, None);
/// assert!(errors[0].to_string().ends_with("min must not exceed max"), "{errors:?}");
///
/// // An error that was there before is ignored, as long as the value is unchanged.
/// assert!(rules.validate(&object, Some(&object)).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ObjectRules<'s> {
    /// The schema; `None` if the definition has none.
    pub schema: Option<&'s Schema>,
    /// The paths of the replicas, for a version with the subresource `scale`.
    pub scale: Option<&'s Scale>,
    /// Whether unknown fields are kept, for definitions with the old field `spec.preserveUnknownFields`.
    pub preserve_unknown: bool,
}

/// The paths of the replicas of a custom resource, as lists of field names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The path of the desired number of replicas.
    pub spec: Vec<String>,
    /// The path of the current number of replicas.
    pub status: Vec<String>,
    /// The path of the pod selector, which is text.
    pub selector: Option<Vec<String>>,
}

/// The result of [`ObjectRules::read`].
#[derive(Debug)]
pub struct Read {
    /// The object, pruned and defaulted.
    pub object: Unstructured,
    /// The paths of unknown fields.
    pub unknown: Vec<String>,
}

impl ObjectRules<'_> {
    /// Reads an object of a client: removes unknown fields, sets defaults, decodes the metadata.
    ///
    /// Fails if metadata is malformed, in the object or in an embedded one. The error has the text of the real
    /// server.
    pub fn read(&self, mut object: Unstructured) -> Result<Read, String> {
        let mut unknown = Vec::new();
        if let Some(metadata) = object.object.get("metadata").filter(|metadata| !metadata.is_null()) {
            let (read, more) = embedded::read_metadata(metadata, "metadata")?;
            unknown.extend(more);
            object.object.insert("metadata", read);
        }
        if let Some(schema) = self.schema {
            unknown.extend(self.prune(&mut object));
            let mut more = Vec::new();
            embedded::coerce(&mut object.object, schema, "", &mut more).map_err(|error| error.to_string())?;
            more.sort();
            unknown.extend(more);
            defaults::apply(&mut object.object, schema);
        }
        Ok(Read { object, unknown })
    }

    /// Removes unknown fields, and nulls that are not allowed. Returns the paths of the unknown fields, sorted.
    pub fn prune(&self, object: &mut Unstructured) -> Vec<String> {
        let Some(schema) = self.schema.filter(|_| !self.preserve_unknown) else { return Vec::new() };
        let unknown = prune::prune(&mut object.object, schema);
        defaults::drop_nulls(&mut object.object, schema);
        unknown
    }

    /// Removes unknown fields only.
    pub fn prune_fields(&self, object: &mut Unstructured) {
        if let Some(schema) = self.schema.filter(|_| !self.preserve_unknown) {
            prune::prune(&mut object.object, schema);
        }
    }

    /// Sets the defaults of missing fields.
    pub fn apply_defaults(&self, object: &mut Unstructured) {
        if let Some(schema) = self.schema {
            defaults::apply(&mut object.object, schema);
        }
    }

    /// Validates a new object, or the change of an old one. It returns all errors; the list is empty for a valid
    /// object. In an update, some errors that the old object has are ignored, as in the real server.
    pub fn validate(&self, object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let Some(schema) = self.schema {
            let whole = Json::Map(object.object.clone());
            let before = old.map(|old| Json::Map(old.object.clone()));
            errors.extend(value::check(&whole, before.as_ref(), schema, ""));
        }
        errors.extend(self.scale_errors(object, true));
        errors.extend(self.scale_errors(object, false));
        if let Some(schema) = self.schema {
            errors.extend(embedded::check(&object.object, schema, ""));
            self.check_lists(object, old, &mut errors);
            Self::check_expressions(schema, object, old, &mut errors);
        }
        errors
    }

    /// Validates a change of the status.
    pub fn validate_status(&self, object: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let (Some(schema), Some(status)) =
            (self.schema.and_then(|schema| schema.properties.get("status")), object.object.get("status"))
        {
            errors.extend(value::check(status, old.object.get("status"), schema, "status"));
        }
        errors.extend(self.scale_errors(object, false));
        if let Some(schema) = self.schema {
            self.check_lists(object, Some(old), &mut errors);
            Self::check_expressions(schema, object, Some(old), &mut errors);
        }
        errors
    }

    fn check_lists(&self, object: &Unstructured, old: Option<&Unstructured>, errors: &mut Vec<FieldError>) {
        let Some(schema) = self.schema else { return };
        // Errors that the old object has are ignored.
        if old.is_none_or(|old| lists::check(&old.object, schema, "").is_empty()) {
            errors.extend(lists::check(&object.object, schema, ""));
        }
    }

    /// Evaluates `x-kubernetes-validations`, unless there are other errors that would disturb the rules.
    fn check_expressions(
        schema: &Schema,
        object: &Unstructured,
        old: Option<&Unstructured>,
        errors: &mut Vec<FieldError>,
    ) {
        use FieldErrorKind::{NotSupported, Required, TooLong, TooMany, TypeInvalid};
        if !has_expressions(schema) {
            return;
        }
        let blocks = |error: &FieldError| {
            matches!(error.kind(), NotSupported | Required | TooLong | TooMany | TypeInvalid)
        };
        if errors.iter().any(blocks) {
            let why = "some validation rules were not checked because the object was invalid; correct the existing \
                       errors to complete validation";
            errors.push(FieldError::invalid_json("<nil>", "null", why));
            return;
        }
        let before = old.map(|old| Json::Map(old.object.clone()));
        errors.extend(expressions::check(&Json::Map(object.object.clone()), before.as_ref(), schema));
    }

    fn scale_errors(&self, object: &Unstructured, spec: bool) -> Vec<FieldError> {
        let Some(scale) = self.scale else { return Vec::new() };
        let mut errors = Vec::new();
        let path = if spec { &scale.spec } else { &scale.status };
        let shown = format!(".{}", path.join("."));
        match nested(object, path, "int64").map(|count| count.and_then(Json::as_i64)) {
            Err(why) => errors.push(FieldError::invalid_json(shown, "0", why)),
            Ok(Some(count)) if count < 0 => {
                let why = "should be a non-negative integer";
                errors.push(FieldError::invalid_json(shown, count.to_string(), why));
            }
            Ok(Some(count)) if count > i64::from(i32::MAX) => {
                let why = format!("should be less than or equal to {}", i32::MAX);
                errors.push(FieldError::invalid_json(shown, count.to_string(), why));
            }
            Ok(_) => {}
        }
        if let (Some(path), false) = (&scale.selector, spec)
            && let Err(why) = nested(object, path, "string")
        {
            errors.push(FieldError::invalid(format!(".{}", path.join(".")), "", why));
        }
        errors
    }
}

/// The value at a path with the wanted type. The error is Go's.
fn nested<'o>(object: &'o Unstructured, path: &[String], wanted: &str) -> Result<Option<&'o Json>, String> {
    let mut current: Option<&Json> = None;
    for (index, key) in path.iter().enumerate() {
        let found = match current {
            None => object.object.get(key),
            Some(Json::Map(map)) => map.get(key),
            Some(other) => {
                return Err(format!(
                    ".{} accessor error: {} is of the type {}, expected map[string]interface{{}}",
                    path[..=index].join("."),
                    go::plain(other),
                    go::type_name(other)
                ));
            }
        };
        let Some(found) = found else { return Ok(None) };
        current = Some(found);
    }
    match current {
        Some(value) if go::type_name(value) != wanted => Err(format!(
            ".{} accessor error: {} is of the type {}, expected {wanted}",
            path.join("."),
            go::plain(value),
            go::type_name(value)
        )),
        value => Ok(value),
    }
}

/// Whether a schema, or a schema below it, has CEL rules.
pub(crate) fn has_expressions(schema: &Schema) -> bool {
    !schema.expressions.is_empty()
        || schema.properties.values().any(has_expressions)
        || schema.items.as_deref().is_some_and(has_expressions)
        || matches!(&schema.additional, Some(Additional::Of(schema)) if has_expressions(schema))
}
