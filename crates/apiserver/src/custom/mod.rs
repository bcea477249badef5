//! Custom resources: what a definition says of them, and what becomes of their objects.

mod columns;
mod defaults;
pub(crate) mod definition;
mod embedded;
mod expressions;
mod formats;
pub(crate) mod go;
mod lists;
mod prune;
mod schema;
mod value;

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::managed_fields;
use client_rs_machinery::{FieldError, FieldErrorKind, Json, Str, Unstructured};

use crate::admission::{Converter, Session, Unshown};

pub(crate) use columns::Column;
pub(crate) use expressions::plain_value;
pub(crate) use schema::{Additional, Schema};

/// A custom resource in one version, as its definition has it.
#[derive(Debug)]
pub(crate) struct Custom {
    /// The name of the definition.
    pub(crate) definition: Str,
    /// Tells it from every other, also from what the definition was before it changed.
    pub(crate) id: u64,
    pub(crate) version: Str,
    /// The version that objects are stored in.
    pub(crate) storage: Str,
    pub(crate) group: Str,
    /// The schemas of all versions, served or not.
    pub(crate) schemas: Arc<BTreeMap<Str, Schema>>,
    /// The same as far as ownership needs them.
    pub(crate) merge: Arc<BTreeMap<Str, (managed_fields::MergeSchema, u32)>>,
    /// The schema as the definition holds it.
    pub(crate) written: Json,
    /// Unknown fields are kept, as definitions once could ask.
    pub(crate) preserve_unknown: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) columns: Vec<Column>,
    /// What can be selected by besides name and namespace: the label and where it is.
    pub(crate) selectable: Vec<(Str, JsonPath)>,
    /// What a client of the version is warned of.
    pub(crate) warning: Option<String>,
    /// Who converts its objects; `None` where versions differ in name alone.
    pub(crate) converter: Option<Arc<Converter>>,
    /// The definition is being deleted: nothing is created any more.
    pub(crate) terminating: bool,
}

/// Where the replicas of a custom resource are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    pub(crate) spec: Vec<String>,
    pub(crate) status: Vec<String>,
    pub(crate) selector: Option<Vec<String>>,
}

/// A custom object that was read, and what was in it that its schema does not know.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) object: Unstructured,
    pub(crate) unknown: Vec<String>,
}

impl Custom {
    /// The schema of this version; an empty one where the definition has none.
    pub(crate) fn schema(&self) -> Option<&Schema> {
        self.schemas.get(&self.version)
    }

    /// Brings an object that a client sent into the form of its schema: unknown fields gone, defaults filled in.
    pub(crate) fn read(&self, mut object: Unstructured) -> Result<Read, String> {
        let mut unknown = Vec::new();
        if let Some(metadata) = object.object.get("metadata").filter(|metadata| !metadata.is_null()) {
            let (read, more) = embedded::read_metadata(metadata, "metadata")?;
            unknown.extend(more);
            object.object.insert("metadata", read);
        }
        if let Some(schema) = self.schema() {
            if !self.preserve_unknown {
                unknown.extend(prune::prune(&mut object.object, schema));
                defaults::drop_nulls(&mut object.object, schema);
            }
            let mut more = Vec::new();
            embedded::coerce(&mut object.object, schema, "", &mut more).map_err(|error| error.to_string())?;
            more.sort();
            unknown.extend(more);
            defaults::apply(&mut object.object, schema);
        }
        Ok(Read { object, unknown })
    }

    /// A stored object as this version shows it. Without a session nobody is asked: what would need a webhook stays in
    /// the version that it is stored in.
    pub(crate) fn shown(
        &self,
        stored: &Unstructured,
        session: Option<&Session>,
    ) -> Result<Unstructured, Unshown> {
        let mut object = stored.clone();
        let stored_in = stored.api_version().rsplit('/').next().unwrap_or_default();
        if let Some(schema) = self.schemas.get(stored_in) {
            self.fit(&mut object, schema);
        }
        if stored_in != self.version {
            match (&self.converter, session) {
                (Some(converter), Some(session)) => {
                    // As in the real server's storage, where the revision is not part of the object.
                    let revision = object.resource_version().to_owned();
                    drop(object.remove_nested(&["metadata", "resourceVersion"]));
                    object = session.convert(converter, &object, &self.api_version(&self.version))?;
                    if !revision.is_empty() {
                        object.set_resource_version(revision);
                    }
                }
                (Some(_), None) => return Ok(object),
                (None, _) => object.set_api_version(self.api_version(&self.version)),
            }
            // Defaults are those of the stored version alone, as in the real server.
            if let Some(schema) = self.schema().filter(|_| !self.preserve_unknown) {
                prune::prune(&mut object.object, schema);
                defaults::drop_nulls(&mut object.object, schema);
            }
        }
        Ok(object)
    }

    /// An object of this version as it is stored.
    pub(crate) fn to_stored(
        &self,
        mut object: Unstructured,
        session: Option<&Session>,
    ) -> Result<Unstructured, Unshown> {
        if object.object.values().any(has_float) {
            object.object.values_mut().for_each(whole_numbers);
        }
        self.in_version(object, &self.storage, session)
    }

    /// An object in another version, straight from the one that it is in.
    pub(crate) fn in_version(
        &self,
        mut object: Unstructured,
        version: &str,
        session: Option<&Session>,
    ) -> Result<Unstructured, Unshown> {
        let desired = self.api_version(version);
        if object.api_version() == desired {
            return Ok(object);
        }
        match (&self.converter, session) {
            (Some(converter), Some(session)) => {
                let revision = object.resource_version().to_owned();
                drop(object.remove_nested(&["metadata", "resourceVersion"]));
                object = session.convert(converter, &object, &desired)?;
                if !revision.is_empty() {
                    object.set_resource_version(revision);
                }
            }
            (Some(_), None) => return Ok(object),
            (None, _) => object.set_api_version(desired),
        }
        if let Some(schema) = self.schemas.get(version).filter(|_| !self.preserve_unknown) {
            prune::prune(&mut object.object, schema);
        }
        Ok(object)
    }

    fn fit(&self, object: &mut Unstructured, schema: &Schema) {
        if !self.preserve_unknown {
            prune::prune(&mut object.object, schema);
            defaults::drop_nulls(&mut object.object, schema);
        }
        defaults::apply(&mut object.object, schema);
    }

    fn api_version(&self, version: &str) -> String {
        format!("{}/{version}", self.group)
    }

    /// What is wrong with an object, or with its change from an old one.
    pub(crate) fn check(&self, object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let Some(schema) = self.schema() {
            let whole = Json::Map(object.object.clone());
            let before = old.map(|old| Json::Map(old.object.clone()));
            errors.extend(value::check(&whole, before.as_ref(), schema, ""));
        }
        errors.extend(self.scale_errors(object, true));
        errors.extend(self.scale_errors(object, false));
        if let Some(schema) = self.schema() {
            errors.extend(embedded::check(&object.object, schema, ""));
            self.check_lists(object, old, &mut errors);
            Self::check_expressions(schema, object, old, &mut errors);
        }
        errors
    }

    /// What is wrong with a change of the status.
    pub(crate) fn check_status(&self, object: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let schema = self.schema();
        if let (Some(schema), Some(status)) =
            (schema.and_then(|schema| schema.properties.get("status")), object.object.get("status"))
        {
            errors.extend(value::check(status, old.object.get("status"), schema, "status"));
        }
        errors.extend(self.scale_errors(object, false));
        if let Some(schema) = schema {
            self.check_lists(object, Some(old), &mut errors);
            Self::check_expressions(schema, object, Some(old), &mut errors);
        }
        errors
    }

    fn check_lists(&self, object: &Unstructured, old: Option<&Unstructured>, errors: &mut Vec<FieldError>) {
        let Some(schema) = self.schema() else { return };
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
        let Some(scale) = &self.scale else { return Vec::new() };
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

    /// What a client is warned of: finalizers without a domain.
    pub(crate) fn finalizer_warnings(new: &Unstructured, old: Option<&Unstructured>) -> Vec<String> {
        let mut added: Vec<&str> = new
            .finalizers()
            .filter(|name| !old.is_some_and(|old| old.finalizers().any(|had| had == *name)))
            .collect();
        added.sort_unstable();
        added.dedup();
        let plain = added.into_iter().filter(|name| {
            !name.contains('/') && !["orphan", "foregroundDeletion", "kubernetes"].contains(name)
        });
        plain
            .map(|name| {
                let including = if name.contains('.') { " including a path (/)" } else { "" };
                format!(
                    "metadata.finalizers: {name:?}: prefer a domain-qualified finalizer name{including} to avoid \
                     accidental conflicts with other finalizer writers"
                )
            })
            .collect()
    }
}

/// Go writes a float that is whole without a fraction, and so reads it back as an integer.
#[allow(clippy::cast_possible_truncation)]
fn whole_numbers(value: &mut Json) {
    match value {
        Json::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            *value = Json::Int(*number as i64);
        }
        Json::List(list) if list.iter().any(has_float) => list.make_mut().iter_mut().for_each(whole_numbers),
        Json::Map(map) if map.values().any(has_float) => map.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

fn has_float(value: &Json) -> bool {
    match value {
        Json::Float(_) => true,
        Json::List(list) => list.iter().any(has_float),
        Json::Map(map) => map.values().any(has_float),
        _ => false,
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

/// Reads a path such as `.spec.ports[0].name`; `None` for one that can't be read.
pub(crate) fn simple_path(text: &str) -> Option<JsonPath> {
    Some(JsonPath::parse(&format!("{{{text}}}")).ok()?.allow_missing_keys(true))
}

/// The first value that a path finds.
pub(crate) fn first(path: &JsonPath, object: &Json) -> Option<Json> {
    path.find(object).ok()?.into_iter().next()?.into_iter().next()
}

fn has_expressions(schema: &Schema) -> bool {
    !schema.expressions.is_empty()
        || schema.properties.values().any(has_expressions)
        || schema.items.as_deref().is_some_and(has_expressions)
        || matches!(&schema.additional, Some(Additional::Of(schema)) if has_expressions(schema))
}
