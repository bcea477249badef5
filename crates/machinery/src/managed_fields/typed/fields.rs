//! The fields that a value has.

use std::collections::BTreeMap;

use super::{as_items, element_of};
use crate::managed_fields::schema::{Form, TypeRef};
use crate::managed_fields::{FieldSet, PathElement};
use crate::{Json, Map};

/// Adds every field of a value at a path.
pub(super) fn collect(ty: TypeRef<'_>, value: &Json, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    match ty.form(Some(value)) {
        Form::Scalar(_) => set.insert(path),
        Form::List(list) if list.is_atomic() => set.insert(path),
        Form::Map(map) if map.atomic => set.insert(path),
        Form::List(list) => {
            let items = as_items(Some(value)).unwrap_or_default();
            let elements = items.iter().filter_map(|item| Some((element_of(ty, list, item).ok()?, item)));
            let mut groups: BTreeMap<PathElement, Vec<&Json>> = BTreeMap::new();
            for (element, item) in elements {
                groups.entry(element).or_default().push(item);
            }
            for (element, items) in groups {
                path.push(element);
                // Two items with the same element are owned as one.
                if let [item] = items.as_slice() {
                    collect(ty.other(list.item), item, path, set);
                }
                set.insert(path);
                path.pop();
            }
        }
        Form::Map(map) => {
            for (key, value) in value.as_map().into_iter().flatten() {
                let Some(entry) = map.entry(key) else { continue };
                path.push(PathElement::Field(key.clone()));
                collect(ty.other(entry), value, path, set);
                let empty = value.is_null() || value.as_map().is_some_and(Map::is_empty);
                if empty || map.field(key).is_none() {
                    set.insert(path);
                }
                path.pop();
            }
        }
    }
}
