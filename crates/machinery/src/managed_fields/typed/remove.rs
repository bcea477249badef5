//! A value without some of its fields.

use super::element_of;
use crate::Json;
use crate::managed_fields::schema::{Form, TypeRef};
use crate::managed_fields::{FieldSet, PathElement};

/// Returns the rest of a value; `null` if nothing is left.
pub(super) fn removed(ty: TypeRef<'_>, value: &Json, fields: &FieldSet) -> Json {
    match (ty.form(Some(value)), value) {
        (Form::Scalar(_), _) => value.clone(),
        (Form::List(list), Json::List(items)) if !list.is_atomic() && !items.is_empty() => {
            let mut kept = Vec::with_capacity(items.len());
            for item in items {
                let Ok(element) = element_of(ty, list, item) else {
                    kept.push(item.clone());
                    continue;
                };
                if fields.has_member(&element) {
                    continue;
                }
                kept.push(match fields.below(&element) {
                    Some(below) => removed(ty.other(list.item), item, below),
                    None => item.clone(),
                });
            }
            if kept.is_empty() { Json::Null } else { kept.into() }
        }
        (Form::Map(map), Json::Map(entries)) if !map.atomic && !entries.is_empty() => {
            let mut kept = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let element = PathElement::Field(key.clone());
                if fields.has_member(&element) {
                    continue;
                }
                let value = match (fields.below(&element), map.entry(key)) {
                    (Some(below), Some(entry)) => removed(ty.other(entry), value, below),
                    _ => value.clone(),
                };
                kept.push((key.clone(), value));
            }
            if kept.is_empty() { Json::Null } else { Json::Map(kept.into_iter().collect()) }
        }
        _ => Json::Null,
    }
}
