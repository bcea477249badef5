//! How two values differ.

use std::collections::BTreeMap;

use super::validate::check_scalar;
use super::{Comparison, TypeError, as_items, element_of, is_empty_map};
use crate::managed_fields::PathElement;
use crate::managed_fields::path::compare as compare_values;
use crate::managed_fields::schema::{Form, ListType, TypeRef};
use crate::{Json, Map, Str};

/// Compares two values of a type.
pub(super) struct Compare {
    pub(super) found: Comparison,
    pub(super) path: Vec<PathElement>,
    pub(super) errors: Vec<TypeError>,
}

impl Compare {
    pub(super) fn value(&mut self, ty: TypeRef<'_>, old: Option<&Json>, new: Option<&Json>) {
        let (form_old, form_new) = (ty.form(old), ty.form(new));
        let leaf = match (old, new) {
            (_, None) => self.form(ty, form_old, old, new),
            (None, _) => self.form(ty, form_new, old, new),
            _ if form_old.is_that_of(form_new) => self.form(ty, form_new, old, new),
            _ => {
                self.form(ty, form_old, old, new);
                self.form(ty, form_new, old, new)
            }
        };
        if !leaf {
            match (old, new) {
                (None, _) => self.found.added.insert(&self.path),
                (_, None) => self.found.removed.insert(&self.path),
                _ => {}
            }
        }
    }

    /// True where the values were compared as one.
    fn form(&mut self, ty: TypeRef<'_>, form: Form<'_>, old: Option<&Json>, new: Option<&Json>) -> bool {
        match form {
            Form::Scalar(scalar) => {
                let wrong = |value: Option<&Json>, side| {
                    let error = check_scalar(scalar, value?, "")?;
                    Some(TypeError { message: format!("{side}: {}", error.message), ..error })
                };
                if let (Some(left), Some(right)) = (wrong(old, "lhs"), wrong(new, "rhs")) {
                    let path: String = self.path.iter().map(ToString::to_string).collect();
                    let at = |error: TypeError| TypeError { path: path.clone(), ..error };
                    self.errors.extend([at(left), at(right)]);
                    return false;
                }
                self.leaf(old, new);
                true
            }
            Form::List(list) => {
                let (left, right) = (as_items(old), as_items(new));
                if list.is_atomic()
                    || left.unwrap_or_default().is_empty() && right.unwrap_or_default().is_empty()
                {
                    self.leaf(old, new);
                    return true;
                }
                self.items(ty, list, left.unwrap_or_default(), right.unwrap_or_default());
                false
            }
            Form::Map(map) => {
                let (left, right) = (old.and_then(Json::as_map), new.and_then(Json::as_map));
                if map.atomic || is_empty_map(left) && is_empty_map(right) {
                    self.leaf(old, new);
                    return true;
                }
                for (key, left, right) in zipped(left, right) {
                    self.path.push(PathElement::Field(key.clone()));
                    match map.entry(key) {
                        Some(entry) => self.value(ty.other(entry), left, right),
                        None => self.undeclared(),
                    }
                    self.path.pop();
                }
                false
            }
        }
    }

    fn undeclared(&mut self) {
        let path = self.path.iter().map(ToString::to_string).collect();
        self.errors.push(TypeError { path, message: "field not declared in schema".to_owned() });
    }

    fn leaf(&mut self, old: Option<&Json>, new: Option<&Json>) {
        match (old, new) {
            (None, _) => self.found.added.insert(&self.path),
            (_, None) => self.found.removed.insert(&self.path),
            (Some(old), Some(new)) => {
                if old != new && compare_values(old, new).is_ne() {
                    self.found.modified.insert(&self.path);
                }
            }
        }
    }

    fn items(&mut self, ty: TypeRef<'_>, list: &ListType, old: &[Json], new: &[Json]) {
        let mut groups: BTreeMap<PathElement, (Vec<&Json>, Vec<&Json>)> = BTreeMap::new();
        for (second, items) in [(false, old), (true, new)] {
            for (at, item) in items.iter().enumerate() {
                match element_of(ty, list, item) {
                    Ok(element) => {
                        let group = groups.entry(element).or_default();
                        if second { group.1.push(item) } else { group.0.push(item) }
                    }
                    Err(why) => {
                        let path = self.path.iter().map(ToString::to_string).collect();
                        self.errors.push(TypeError { path, message: format!("element {at}: {why}") });
                    }
                }
            }
        }
        let item_type = ty.other(list.item);
        for (element, (old, new)) in groups {
            self.path.push(element);
            match (old.as_slice(), new.as_slice()) {
                ([] | [_], [] | [_]) => self.value(item_type, old.first().copied(), new.first().copied()),
                // Items with the same element are compared as one.
                ([_, _, ..], [_, _, ..]) => {
                    if old != new {
                        self.found.modified.insert(&self.path);
                    }
                }
                ([_, _, ..], _) => {
                    if let Some(new) = new.first() {
                        self.value(item_type, None, Some(new));
                    }
                    self.found.removed.insert(&self.path);
                }
                (_, _) => {
                    if let Some(old) = old.first() {
                        self.value(item_type, Some(old), None);
                    }
                    self.found.added.insert(&self.path);
                }
            }
            self.path.pop();
        }
    }
}

/// The entries of two objects, by key.
pub(super) fn zipped<'v>(
    left: Option<&'v Map<Json>>,
    right: Option<&'v Map<Json>>,
) -> impl Iterator<Item = (&'v Str, Option<&'v Json>, Option<&'v Json>)> {
    let mut entries: BTreeMap<&Str, (Option<&Json>, Option<&Json>)> = BTreeMap::new();
    for (key, value) in left.into_iter().flatten() {
        entries.entry(key).or_default().0 = Some(value);
    }
    for (key, value) in right.into_iter().flatten() {
        entries.entry(key).or_default().1 = Some(value);
    }
    entries.into_iter().map(|(key, (left, right))| (key, left, right))
}
