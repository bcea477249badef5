//! Whether a value fits its type.

use super::{TypeError, element_of};
use crate::managed_fields::PathElement;
use crate::managed_fields::schema::{Form, ListType, MapType, Scalar, TypeRef};
use crate::{Json, Map, go_quoted, go_type, go_value};

/// Checks a value against a type.
pub(super) struct Validate<'e> {
    pub(super) duplicates: bool,
    pub(super) errors: &'e mut Vec<TypeError>,
}

impl Validate<'_> {
    pub(super) fn value(&mut self, ty: TypeRef<'_>, value: &Json, path: &mut String) {
        match ty.form(Some(value)) {
            Form::Scalar(scalar) => self.errors.extend(check_scalar(scalar, value, path)),
            Form::List(list) => match value {
                Json::List(items) => self.items(ty, list, items, path),
                Json::Null => {}
                other => self.wrong(path, format!("expected list, got &{{{}}}", go_value(other))),
            },
            Form::Map(map) => match value {
                Json::Map(entries) => self.entries(ty, map, entries, path),
                Json::Null => {}
                other => self.wrong(path, format!("expected map, got &{{{}}}", go_value(other))),
            },
        }
    }

    fn items(&mut self, ty: TypeRef<'_>, list: &ListType, items: &[Json], path: &mut String) {
        let mut seen: Vec<PathElement> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let element = if list.is_atomic() {
                PathElement::Index(i64::try_from(at).unwrap_or(i64::MAX))
            } else {
                match element_of(ty, list, item) {
                    Ok(element) => element,
                    Err(why) => return self.wrong(path, format!("element {at}: {why}")),
                }
            };
            if !list.is_atomic() {
                match seen.binary_search(&element) {
                    Ok(_) if !self.duplicates => {
                        self.wrong(path, format!("duplicate entries for key {element}"));
                    }
                    Ok(_) => {}
                    Err(place) => seen.insert(place, element.clone()),
                }
            }
            self.below(ty.other(list.item), item, &element, path);
        }
    }

    fn entries(&mut self, ty: TypeRef<'_>, map: &MapType, entries: &Map<Json>, path: &mut String) {
        for (key, value) in entries {
            let element = PathElement::Field(key.clone());
            let Some(entry) = map.entry(key) else {
                // The real server looks no further here.
                return self.wrong(&format!("{path}{element}"), "field not declared in schema".to_owned());
            };
            self.below(ty.other(entry), value, &element, path);
        }
    }

    fn below(&mut self, ty: TypeRef<'_>, value: &Json, element: &PathElement, path: &mut String) {
        let length = path.len();
        path.push_str(&element.to_string());
        self.value(ty, value, path);
        path.truncate(length);
    }

    fn wrong(&mut self, path: &str, message: String) {
        self.errors.push(TypeError { path: path.to_owned(), message });
    }
}

/// Returns the error of a scalar value; `null` is always valid.
pub(super) fn check_scalar(scalar: Scalar, value: &Json, path: &str) -> Option<TypeError> {
    let message = match (scalar, value) {
        (_, Json::Null)
        | (Scalar::Number, Json::Int(_) | Json::Float(_))
        | (Scalar::String, Json::Str(_))
        | (Scalar::Boolean, Json::Bool(_))
        | (Scalar::Any | Scalar::Quantity, Json::Int(_) | Json::Float(_) | Json::Str(_) | Json::Bool(_)) => {
            return None;
        }
        (Scalar::Number, other) => format!("expected numeric (int or float), got {}", go_type(other)),
        (Scalar::String, other) => {
            format!("expected string, got &value.valueUnstructured{{Value:{}}}", go_syntax(other))
        }
        (Scalar::Boolean, other) => format!("expected boolean, got &{{{}}}", go_value(other)),
        (Scalar::Any | Scalar::Quantity, other) => {
            format!("expected any scalar, got &{{{}}}", go_value(other))
        }
    };
    Some(TypeError { path: path.to_owned(), message })
}

/// A value in Go's own syntax.
fn go_syntax(value: &Json) -> String {
    match value {
        Json::Null => "interface {}(nil)".to_owned(),
        Json::Str(text) => go_quoted(text),
        Json::List(items) => {
            let items: Vec<String> = items.iter().map(go_syntax).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Json::Map(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}:{}", go_quoted(key), go_syntax(value)))
                .collect();
            format!("map[string]interface {{}}{{{}}}", entries.join(", "))
        }
        scalar => go_value(scalar),
    }
}
