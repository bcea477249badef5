//! Operations on typed values: validate, compare, merge, and reduce to a set of fields.

mod atomics;
mod compare;
mod fields;
mod merge;
mod remove;
mod validate;

use std::fmt;

use super::schema::{Form, ListRule, ListType, Scalar, TypeRef};
use super::set::Node;
use super::{FieldSet, PathElement};
use crate::{Json, Map, Quantity, Str};
use compare::Compare;
use fields::collect;
use merge::Merge;
use remove::removed;
use validate::Validate;

/// The values that do not fit a type, with the API server's messages.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TypeErrors(Vec<TypeError>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct TypeError {
    path: String,
    message: String,
}

/// The differences of two values of a type.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Fields that only the first value has.
    pub removed: FieldSet,
    /// Fields that both have, with different values.
    pub modified: FieldSet,
    /// Fields that only the second value has.
    pub added: FieldSet,
}

impl TypeRef<'_> {
    /// Checks that a value fits the type. `duplicates` allows the same item twice in an associative list: a stored
    /// object may have that, an applied configuration may not.
    pub fn validate(self, value: &Json, duplicates: bool) -> Result<(), TypeErrors> {
        let mut errors = Vec::new();
        Validate { duplicates, errors: &mut errors }.value(self, value, &mut String::new());
        TypeErrors(errors).into_result()
    }

    /// Returns every field of a value: those that a manager owns after it applies the value.
    pub fn fields_of(self, value: &Json) -> FieldSet {
        let mut set = FieldSet::EMPTY;
        collect(self, value, &mut Vec::new(), &mut set);
        set
    }

    /// Compares `new` with `old`.
    pub fn compare(self, old: &Json, new: &Json) -> Result<Comparison, TypeErrors> {
        let mut walk = Compare { found: Comparison::default(), path: Vec::new(), errors: Vec::new() };
        walk.value(self, Some(old), Some(new));
        TypeErrors(walk.errors).into_result()?;
        Ok(walk.found)
    }

    /// Merges the applied value into the live one. Nothing is removed.
    pub fn merge(self, live: &Json, applied: &Json) -> Result<Json, TypeErrors> {
        let mut walk = Merge { path: String::new(), errors: Vec::new() };
        let merged = walk.value(self, Some(live), Some(applied));
        TypeErrors(walk.errors).into_result()?;
        Ok(merged.unwrap_or_default())
    }

    /// Returns the paths of the lists and objects in a value that are merged as a whole.
    pub fn atomics(self, value: &Json) -> Vec<String> {
        let mut found = Vec::new();
        atomics::collect(self, value, &mut String::new(), &mut found);
        found
    }

    /// Returns the value with its quantities in the API server's canonical form: `1000m` becomes `1`. A value that is
    /// not a quantity stays.
    #[must_use]
    pub fn with_canonical_quantities(self, value: &Json) -> Json {
        match (self.form(Some(value)), value) {
            (Form::Scalar(Scalar::Quantity), Json::Str(text)) => match Quantity::parse(text) {
                Ok(amount) => amount.as_str().into(),
                Err(_) => value.clone(),
            },
            (Form::List(list), Json::List(items)) => {
                let item = self.other(list.item);
                items.iter().map(|value| item.with_canonical_quantities(value)).collect()
            }
            (Form::Map(map), Json::Map(entries)) => {
                let entries = entries.iter().map(|(key, value)| {
                    let value = match map.entry(key) {
                        Some(entry) => self.other(entry).with_canonical_quantities(value),
                        None => value.clone(),
                    };
                    (key.clone(), value)
                });
                Json::Map(entries.collect())
            }
            _ => value.clone(),
        }
    }

    /// Returns the value without the fields of a set.
    pub fn remove(self, value: &Json, fields: &FieldSet) -> Json {
        removed(self, value, fields)
    }

    /// Adds every named field of a type that has members below it in the set: such a field is owned together with its
    /// members.
    pub(super) fn with_named_fields(self, set: &FieldSet) -> FieldSet {
        let map = self.as_map();
        let nodes = set.nodes().iter().map(|node| {
            let named = match &node.element {
                PathElement::Field(name) => {
                    !node.children.is_empty() && map.is_some_and(|map| map.field(name).is_some())
                }
                _ => false,
            };
            let below = match &node.element {
                PathElement::Field(name) => map.and_then(|map| map.entry(name)),
                PathElement::Key(_) => self.as_list().map(|list| list.item),
                _ => None,
            };
            Node {
                element: node.element.clone(),
                member: node.member || named,
                children: match below {
                    Some(ty) => self.other(ty).with_named_fields(&node.children),
                    None => node.children.clone(),
                },
            }
        });
        FieldSet::of_nodes(nodes.collect())
    }

    /// Adapts the set to a type that has become atomic since: the owner of a part owns the whole.
    pub(super) fn reconciled(self, set: &FieldSet) -> FieldSet {
        let nodes = set.nodes().iter().map(|node| {
            let below = match &node.element {
                PathElement::Field(name) => self.as_map().and_then(|map| map.entry(name)),
                PathElement::Key(_) | PathElement::Value(_) => self.as_list().map(|list| list.item),
                PathElement::Index(_) => None,
            };
            let Some(ty) = below.map(|ty| self.other(ty)) else { return node.clone() };
            let own = ty.form(None);
            let atomic = match own {
                Form::Map(map) => map.atomic && !map.is_deduced(),
                Form::List(list) => list.is_atomic(),
                Form::Scalar(_) => false,
            };
            if atomic && !node.children.is_empty() {
                return Node { element: node.element.clone(), member: true, children: FieldSet::EMPTY };
            }
            Node {
                element: node.element.clone(),
                member: node.member,
                children: ty.reconciled(&node.children),
            }
        });
        FieldSet::of_nodes(nodes.collect())
    }
}

/// Returns the element that identifies an item of an associative list.
fn element_of(ty: TypeRef<'_>, list: &ListType, item: &Json) -> Result<PathElement, String> {
    let keys = match &list.rule {
        ListRule::Atomic => return Err("invalid indexing of non-associative list".to_owned()),
        ListRule::Set => {
            let what = match item {
                Json::Map(_) => "associative list without keys has an element that's a map type",
                Json::List(_) => "not supported: associative list with lists as elements",
                Json::Null => "associative list without keys has an element that's an explicit null",
                value => return Ok(PathElement::Value(value.clone())),
            };
            return Err(what.to_owned());
        }
        ListRule::Map(keys) => keys,
    };
    let fields = match item {
        Json::Map(fields) => fields,
        Json::Null => return Err("associative list with keys may not have a null element".to_owned()),
        _ => return Err("associative list with keys may not have non-map elements".to_owned()),
    };
    let item_type = ty.other(list.item).as_map();
    let mut found: Vec<(Str, Json)> = Vec::with_capacity(keys.len());
    for key in keys.iter() {
        let default = || {
            let text = item_type?.field(key)?.default.as_deref()?;
            Json::parse(text.as_bytes()).ok()
        };
        if let Some(value) = fields.get(key).cloned().or_else(default) {
            found.push((key.as_ref().into(), value));
        }
    }
    if found.is_empty() {
        let keys: Vec<String> = keys.iter().map(|key| crate::quote::Quoted(key).to_string()).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values \
             for any key fields)",
            keys.join(" ")
        ));
    }
    Ok(PathElement::key(found))
}

fn as_items(value: Option<&Json>) -> Option<&[Json]> {
    value.and_then(Json::as_list).map(crate::List::as_slice)
}

fn is_empty_map(map: Option<&Map<Json>>) -> bool {
    map.is_none_or(Map::is_empty)
}

impl TypeErrors {
    fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for TypeErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |error: &TypeError| match error.path.as_str() {
            "" => error.message.clone(),
            path => format!("{path}: {}", error.message),
        };
        match self.0.as_slice() {
            [error] => f.write_str(&one(error)),
            errors => {
                f.write_str("errors:")?;
                errors.iter().try_for_each(|error| write!(f, "\n  {}", one(error)))
            }
        }
    }
}

impl std::error::Error for TypeErrors {}
