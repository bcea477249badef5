//! Creates a patch between two objects.

use super::lists::{Key, Places, element_type, sort_by};
use super::schema::{Rules, Schema};
use super::{DELETE_FROM_LIST, DIRECTIVE, RETAIN_KEYS, SET_ORDER, StrategicError, StrategicErrorKind};
use crate::value::Entries;
use crate::{Json, JsonType, List, Map, Str};

/// The parts of a comparison that go into the patch.
#[derive(Clone, Copy, Default)]
pub(super) struct Diff {
    /// The kind of differences.
    pub(super) what: What,
    /// Write the order of merged lists that change.
    pub(super) order: bool,
    /// Write the keys that this object keeps.
    pub(super) retain_keys: bool,
}

/// The differences that go into the patch.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum What {
    /// All.
    #[default]
    All,
    /// Additions and changes.
    Changes,
    /// Removals.
    Deletions,
}

impl Diff {
    fn changes(self) -> bool {
        self.what != What::Deletions
    }

    fn deletions(self) -> bool {
        self.what != What::Changes
    }
}

pub(super) fn diff_maps(
    original: &Map<Json>,
    modified: &Map<Json>,
    schema: Schema,
    options: Diff,
) -> Result<Map<Json>, StrategicError> {
    let mut patch = Entries::new();
    for (key, value) in modified {
        diff_entry(&mut patch, key, original.get(key), value, schema, options)
            .map_err(|error| error.at(key))?;
    }
    let gone = || original.iter().filter(|(key, _)| !modified.contains_key(key));
    if options.deletions() {
        patch.extend(gone().map(|(key, _)| (key.clone(), Json::Null)));
    }
    if options.retain_keys {
        let keys: Vec<&Str> =
            modified.iter().filter(|(_, value)| !value.is_null()).map(|(key, _)| key).collect();
        if !keys.is_empty() && (!patch.is_empty() || gone().any(|(_, value)| !value.is_null())) {
            patch.insert(RETAIN_KEYS.into(), keys.into());
        }
    }
    Ok(patch.into_iter().collect())
}

fn diff_entry(
    patch: &mut Entries,
    key: &Str,
    original: Option<&Json>,
    modified: &Json,
    schema: Schema,
    options: Diff,
) -> Result<(), StrategicError> {
    if let Some(original) = original
        && key.as_str() == DIRECTIVE
    {
        // A document that is a patch itself.
        if original.as_str().is_none() || modified.as_str().is_none() {
            return Err(StrategicErrorKind::UnknownDirective.into());
        }
        if original != modified {
            patch.insert(key.clone(), modified.clone());
        }
        return Ok(());
    }
    let rules = schema.field(key);
    match (original, modified) {
        (Some(Json::Map(original)), Json::Map(modified)) if !rules.replace => {
            let options = Diff { retain_keys: rules.retain_keys, ..options };
            let inner = diff_maps(original, modified, rules.schema, options)?;
            if !inner.is_empty() {
                patch.insert(key.clone(), Json::Map(inner));
            }
        }
        (Some(Json::List(original)), Json::List(modified)) if rules.merge => {
            let options = Diff { retain_keys: rules.retain_keys, ..options };
            let lists = diff_lists(original, modified, rules, options)?;
            let mut put = |key: String, list: Vec<Json>| {
                if !list.is_empty() {
                    patch.insert(key.into(), Json::List(list.into()));
                }
            };
            put(key.to_string(), lists.elements);
            put([DELETE_FROM_LIST, key.as_str()].join("/"), lists.removed);
            put([SET_ORDER, key.as_str()].join("/"), lists.order);
        }
        (Some(original), modified) if original == modified => {}
        _ if !options.changes() => {}
        _ => {
            patch.insert(key.clone(), modified.clone());
        }
    }
    Ok(())
}

/// The entries of a patch for a merged list.
#[derive(Default)]
struct Lists {
    elements: Vec<Json>,
    /// Plain values that are removed; removals of elements with a key are among `elements`.
    removed: Vec<Json>,
    order: Vec<Json>,
}

fn diff_lists(
    original: &List<Json>,
    modified: &List<Json>,
    rules: Rules,
    options: Diff,
) -> Result<Lists, StrategicError> {
    if original.is_empty() {
        let elements = if options.changes() { modified.to_vec() } else { Vec::new() };
        return Ok(Lists { elements, ..Lists::default() });
    }
    if element_type(original.iter().chain(modified))? == Some(JsonType::Map) {
        diff_objects(original, modified, rules, options)
    } else {
        diff_values(original, modified, rules.merge_key, options)
    }
}

fn diff_values(
    original: &List<Json>,
    modified: &List<Json>,
    merge_key: &'static str,
    options: Diff,
) -> Result<Lists, StrategicError> {
    let (before, after) = (sorted(original, merge_key)?, sorted(modified, merge_key)?);
    let mut lists = Lists::default();
    pair(&before, &after, |left, right| {
        match (left, right) {
            (Some(value), None) if options.deletions() && lists.removed.last() != Some(value) => {
                lists.removed.push(value.clone());
            }
            (None, Some(value)) if options.changes() => lists.elements.push(value.clone()),
            _ => {}
        }
        Ok(())
    })?;
    lists.elements = sort_by(lists.elements, &Places::of(modified, merge_key)?, merge_key)?;
    let shrinks = options.deletions() && !lists.removed.is_empty();
    let changes = options.changes() && original != modified;
    if options.order && (shrinks || changes) {
        lists.order = modified.to_vec();
    }
    Ok(lists)
}

fn diff_objects(
    original: &List<Json>,
    modified: &List<Json>,
    rules: Rules,
    options: Diff,
) -> Result<Lists, StrategicError> {
    let merge_key = rules.merge_key;
    if merge_key.is_empty() {
        return Err(StrategicErrorKind::NoMergeKeyDeclared.into());
    }
    let (before, after) = (sorted(original, merge_key)?, sorted(modified, merge_key)?);
    let (mut elements, mut removed) = (Vec::new(), Vec::new());
    pair(&before, &after, |left, right| {
        match (left, right) {
            (Some(Json::Map(left)), Some(Json::Map(right))) => {
                let mut inner = diff_maps(left, right, rules.schema, options)?;
                if !inner.is_empty() {
                    inner.insert(merge_key, right.get(merge_key).cloned().unwrap_or_default());
                    elements.push(Json::Map(inner));
                }
            }
            (Some(left), None) if options.deletions() => {
                removed.push(
                    [(merge_key, left[merge_key].clone()), (DIRECTIVE, "delete".into())]
                        .into_iter()
                        .collect(),
                );
            }
            (None, Some(right)) if options.changes() => elements.push(right.clone()),
            _ => {}
        }
        Ok(())
    })?;
    let mut elements = sort_by(elements, &Places::of(modified, merge_key)?, merge_key)?;
    elements.extend(removed);

    let changes = options.changes() && (!elements.is_empty() || !same_order(original, modified, merge_key));
    let shrinks = options.deletions() && !elements.is_empty();
    let order = if options.order && (changes || shrinks) {
        modified
            .iter()
            .map(|element| [(merge_key, element[merge_key].clone())].into_iter().collect())
            .collect()
    } else {
        Vec::new()
    };
    Ok(Lists { elements, removed: Vec::new(), order })
}

fn same_order(original: &[Json], modified: &[Json], merge_key: &str) -> bool {
    original.len() == modified.len()
        && original.iter().zip(modified).all(|(left, right)| left[merge_key] == right[merge_key])
}

/// A list's elements with the text of their keys, sorted by it.
fn sorted<'a>(list: &'a [Json], merge_key: &'static str) -> Result<Vec<(String, &'a Json)>, StrategicError> {
    // Equal keys do not belong into such a list. Where they are, Go's sort turns them around: so do we, to
    // pair them as it does.
    let keyed = list.iter().rev().map(|element| Ok((Key::of(element, merge_key)?.text(), element)));
    let mut keyed = keyed.collect::<Result<Vec<_>, StrategicError>>()?;
    keyed.sort_by(|(left, _), (right, _)| left.cmp(right));
    Ok(keyed)
}

/// Walks two sorted lists together, and calls back with the elements of the left, of the right, or of both.
fn pair<'a>(
    left: &[(String, &'a Json)],
    right: &[(String, &'a Json)],
    mut take: impl FnMut(Option<&'a Json>, Option<&'a Json>) -> Result<(), StrategicError>,
) -> Result<(), StrategicError> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return Ok(()),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some((left, _)), Some((right, _))) => left.cmp(right),
        };
        let from_left = if order.is_le() { left.next().map(|(_, value)| *value) } else { None };
        let from_right = if order.is_ge() { right.next().map(|(_, value)| *value) } else { None };
        take(from_left, from_right)?;
    }
}
