//! Finds the parts of a value that are merged as a whole.

use std::fmt::Write as _;

use super::super::schema::TypeRef;
use crate::Json;

/// Collects the paths of atomic lists and objects in a value.
pub(super) fn collect(of: TypeRef<'_>, value: &Json, path: &mut String, found: &mut Vec<String>) {
    let end = path.len();
    match value {
        Json::Map(entries) => {
            let Some(map) = of.as_map() else { return };
            if map.atomic {
                found.push(path.clone());
            }
            for (name, value) in entries {
                // Entries of a map have no fields of their own.
                let Some(field) = map.field(name) else { continue };
                path.push('.');
                path.push_str(name);
                collect(of.other(field.ty), value, path, found);
                path.truncate(end);
            }
        }
        Json::List(items) => {
            let Some(list) = of.as_list() else { return };
            if list.is_atomic() {
                found.push(path.clone());
            }
            for (index, value) in items.iter().enumerate() {
                let _ = write!(path, "[{index}]");
                collect(of.other(list.item), value, path, found);
                path.truncate(end);
            }
        }
        _ => {}
    }
}
