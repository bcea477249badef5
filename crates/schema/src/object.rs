//! What a definition demands of the objects of one version.

use client_rs_machinery::{FieldError, FieldErrorKind, Json, Unstructured};

use super::schema::{Additional, Schema};
use super::{defaults, embedded, expressions, go, lists, prune, value};

/// The rules that a definition has for the objects of one version.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObjectRules<'s> {
    /// The schema; `None` where the definition has none.
    pub schema: Option<&'s Schema>,
    /// Where the replicas are, for a version with the subresource `scale`.
    pub scale: Option<&'s Scale>,
    /// Keeps unknown fields, as `spec.preserveUnknownFields` once asked for.
    pub preserve_unknown: bool,
}

/// Where the replicas of a custom resource are: paths of field names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The number of replicas that is asked for.
    pub spec: Vec<String>,
    /// The number of replicas that there are.
    pub status: Vec<String>,
    /// The selector of the replicas' pods, as text.
    pub selector: Option<Vec<String>>,
}

/// An object that was read by [`ObjectRules::read`].
#[derive(Debug)]
pub struct Read {
    /// The object, pruned and defaulted.
    pub object: Unstructured,
    /// The paths of the fields that the schema does not know.
    pub unknown: Vec<String>,
}

impl ObjectRules<'_> {
    /// Brings an object of a client into the form of the schema: unknown fields are removed, defaults filled in, metadata
    /// decoded. The error is the text of the real server.
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

    /// Fills in the defaults of missing fields.
    pub fn apply_defaults(&self, object: &mut Unstructured) {
        if let Some(schema) = self.schema {
            defaults::apply(&mut object.object, schema);
        }
    }

    /// Validates a new object, or the change of an old one. Of an update, some violations that were there before are let
    /// pass, as in the real server.
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
        // What was wrong before may stay so.
        if old.is_none_or(|old| lists::check(&old.object, schema, "").is_empty()) {
            errors.extend(lists::check(&object.object, schema, ""));
        }
    }

    /// The rules of `x-kubernetes-validations`, unless something else is wrong that they would stumble over.
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

/// The value at a path, of one type; the error is Go's.
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

/// Whether a schema, or one below it, has rules in CEL.
pub(crate) fn has_expressions(schema: &Schema) -> bool {
    !schema.expressions.is_empty()
        || schema.properties.values().any(has_expressions)
        || schema.items.as_deref().is_some_and(has_expressions)
        || matches!(&schema.additional, Some(Additional::Of(schema)) if has_expressions(schema))
}
