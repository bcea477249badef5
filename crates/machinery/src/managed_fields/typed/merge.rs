//! One value laid over another.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::zipped;
use super::{TypeError, as_items, element_of, is_empty_map};
use crate::Json;
use crate::managed_fields::PathElement;
use crate::managed_fields::schema::{Form, ListType, TypeRef};

/// Lays one value over another.
pub(super) struct Merge {
    pub(super) path: String,
    pub(super) errors: Vec<TypeError>,
}

impl Merge {
    pub(super) fn value(
        &mut self,
        ty: TypeRef<'_>,
        live: Option<&Json>,
        applied: Option<&Json>,
    ) -> Option<Json> {
        let form = if applied.is_none() { ty.form(live) } else { ty.form(applied) };
        match form {
            Form::Scalar(_) => applied.or(live).cloned(),
            Form::List(list) => {
                let (left, right) = (as_items(live), as_items(applied));
                if list.is_atomic()
                    || left.unwrap_or_default().is_empty() && right.unwrap_or_default().is_empty()
                {
                    return applied.or(live).cloned();
                }
                self.items(ty, list, left.unwrap_or_default(), right.unwrap_or_default())
            }
            Form::Map(map) => {
                let (left, right) = (live.and_then(Json::as_map), applied.and_then(Json::as_map));
                if map.atomic || is_empty_map(left) && is_empty_map(right) {
                    return applied.or(live).cloned();
                }
                let mut merged = Vec::new();
                for (key, left, right) in zipped(left, right) {
                    let length = self.path.len();
                    self.path.push('.');
                    self.path.push_str(key);
                    match map.entry(key) {
                        Some(entry) => {
                            let value = self.value(ty.other(entry), left, right);
                            merged.extend(value.map(|value| (key.clone(), value)));
                        }
                        None => self.wrong("field not declared in schema".to_owned()),
                    }
                    self.path.truncate(length);
                }
                (!merged.is_empty()).then(|| Json::Map(merged.into_iter().collect()))
            }
        }
    }

    /// Merges two lists whose items are identified by their elements. Items of both lists come in the order of the
    /// applied list; items of one list keep their place among their neighbours as far as possible.
    fn items(&mut self, ty: TypeRef<'_>, list: &ListType, live: &[Json], applied: &[Json]) -> Option<Json> {
        let right = self.index(ty, list, applied, false)?;
        let left = self.index(ty, list, live, true)?;
        let mut shared = right.elements.iter().filter(|element| left.by_element.contains_key(*element));
        let mut next_shared = shared.next();
        let mut merged_right: BTreeSet<&PathElement> = BTreeSet::new();
        let mut out = Vec::with_capacity(live.len().max(applied.len()));
        let item_type = ty.other(list.item);
        let (mut at_left, mut at_right) = (0, 0);
        while at_left < left.elements.len() || at_right < right.elements.len() {
            if let (Some(one), Some(two)) = (left.elements.get(at_left), right.elements.get(at_right)) {
                if one == two {
                    merged_right.insert(two);
                    out.extend(self.item(item_type, one, left.get(one), right.get(two)));
                    (at_left, at_right) = (at_left + 1, at_right + 1);
                    next_shared = shared.next();
                    continue;
                }
                let wanted_later = next_shared.is_some_and(|next| next != one);
                if right.by_element.contains_key(one) && wanted_later {
                    // Both have it, but it is not its turn yet.
                    at_left += 1;
                    continue;
                }
            }
            if let Some(one) = left.elements.get(at_left) {
                if !right.by_element.contains_key(one) {
                    // By index: both items with the same element are kept.
                    out.extend(self.item(item_type, one, live.get(at_left), None));
                    at_left += 1;
                    continue;
                }
                if merged_right.contains(one) {
                    at_left += 1;
                }
            }
            if let Some(two) = right.elements.get(at_right) {
                merged_right.insert(two);
                out.extend(self.item(item_type, two, left.get(two), right.get(two)));
                at_right += 1;
                if next_shared == Some(two) {
                    next_shared = shared.next();
                }
            }
        }
        (!out.is_empty()).then(|| out.into())
    }

    fn item(
        &mut self,
        ty: TypeRef<'_>,
        element: &PathElement,
        live: Option<&Json>,
        applied: Option<&Json>,
    ) -> Option<Json> {
        let length = self.path.len();
        self.path.push_str(&element.to_string());
        let merged = self.value(ty, live, applied);
        self.path.truncate(length);
        merged
    }

    /// Returns the items by their elements; `None` if they cannot be distinguished.
    fn index<'v>(
        &mut self,
        ty: TypeRef<'_>,
        list: &ListType,
        items: &'v [Json],
        duplicates: bool,
    ) -> Option<Index<'v>> {
        let before = self.errors.len();
        let mut index = Index { elements: Vec::with_capacity(items.len()), by_element: BTreeMap::new() };
        for (at, item) in items.iter().enumerate() {
            match element_of(ty, list, item) {
                Err(why) => self.wrong(format!("element {at}: {why}")),
                Ok(element) => {
                    if index.by_element.contains_key(&element) {
                        if !duplicates {
                            self.wrong(format!("duplicate entries for key {element}"));
                            continue;
                        }
                        // The item to merge with is ambiguous, so none is merged.
                        index.by_element.insert(element.clone(), &NOTHING);
                    } else {
                        index.by_element.insert(element.clone(), item);
                    }
                    index.elements.push(element);
                }
            }
        }
        (self.errors.len() == before).then_some(index)
    }

    fn wrong(&mut self, message: String) {
        self.errors.push(TypeError { path: self.path.clone(), message });
    }
}

static NOTHING: Json = Json::Null;

struct Index<'v> {
    elements: Vec<PathElement>,
    by_element: BTreeMap<PathElement, &'v Json>,
}

impl<'v> Index<'v> {
    fn get(&self, element: &PathElement) -> Option<&'v Json> {
        self.by_element.get(element).copied()
    }
}
