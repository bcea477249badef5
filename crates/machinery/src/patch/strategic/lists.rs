//! Elements of merged lists: what identifies them, and their order.

use std::collections::HashMap;

use super::{DIRECTIVE, StrategicError, StrategicErrorKind, wrong_type};
use crate::{Json, JsonType, Str};

/// The identity of an element of a merged list: the element itself, or its value at the merge key.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of a number that is not -0.
    Float(u64),
    Str(Str),
}

impl Key {
    /// An element's key; `merge_key` is empty for plain values.
    pub(super) fn of(element: &Json, merge_key: &'static str) -> Result<Self, StrategicError> {
        if merge_key.is_empty() {
            return Self::plain(element).ok_or_else(|| StrategicErrorKind::MixedElements.into());
        }
        let map = element.as_map().ok_or_else(|| wrong_type(JsonType::Map, element))?;
        let value = map.get(merge_key).and_then(Self::plain);
        value.ok_or_else(|| StrategicErrorKind::NoMergeKey(merge_key).into())
    }

    fn plain(value: &Json) -> Option<Self> {
        Some(match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Int(value) => Self::Int(*value),
            Json::Float(value) => Self::Float(if *value == 0.0 { 0 } else { value.to_bits() }),
            Json::Str(value) => Self::Str(value.clone()),
            Json::List(_) | Json::Map(_) => return None,
        })
    }

    /// The key's text, by which lists are compared when a patch is created.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Null => "<nil>".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Float(bits) => f64::from_bits(*bits).to_string(),
            Self::Str(value) => value.to_string(),
        }
    }
}

/// The one type of all elements; `None` when there are none.
pub(super) fn element_type<'a>(
    elements: impl IntoIterator<Item = &'a Json>,
) -> Result<Option<JsonType>, StrategicError> {
    let mut common = None;
    for element in elements {
        let found = element.json_type();
        let plain = !matches!(found, JsonType::List | JsonType::Null);
        if !plain || *common.get_or_insert(found) != found {
            return Err(StrategicErrorKind::MixedElements.into());
        }
    }
    Ok(common)
}

/// The place of each key in a list; of two equal ones the first.
pub(super) struct Places(HashMap<Key, usize>);

impl Places {
    pub(super) fn of(list: &[Json], merge_key: &'static str) -> Result<Self, StrategicError> {
        let mut places = HashMap::with_capacity(list.len());
        for (at, element) in list.iter().enumerate() {
            places.entry(Key::of(element, merge_key)?).or_insert(at);
        }
        Ok(Self(places))
    }

    pub(super) fn get(&self, key: &Key) -> Option<usize> {
        self.0.get(key).copied()
    }

    pub(super) fn insert(&mut self, key: Key, at: usize) {
        self.0.entry(key).or_insert(at);
    }
}

/// Whether an element deletes the one with its key.
pub(super) fn is_deletion(element: &Json) -> bool {
    element.get(DIRECTIVE).is_some_and(|directive| *directive == "delete")
}

/// Sorts elements as they are in `order`; deletions go to the end.
pub(super) fn sort_by(
    elements: Vec<Json>,
    order: &Places,
    merge_key: &'static str,
) -> Result<Vec<Json>, StrategicError> {
    let mut keyed = Vec::with_capacity(elements.len());
    let mut deletions = Vec::new();
    for element in elements {
        let place = order.get(&Key::of(&element, merge_key)?).unwrap_or(usize::MAX);
        if is_deletion(&element) {
            deletions.push(element);
        } else {
            keyed.push((place, element));
        }
    }
    keyed.sort_by_key(|(place, _)| *place);
    Ok(keyed.into_iter().map(|(_, element)| element).chain(deletions).collect())
}

/// Returns the elements in their final order: those of `wanted` in its order; each other one before the first of
/// those that followed it in `before`.
pub(super) fn arrange(
    elements: Vec<Json>,
    wanted: &[Json],
    before: &[Json],
    merge_key: &'static str,
) -> Result<Vec<Json>, StrategicError> {
    let (wanted, before) = (Places::of(wanted, merge_key)?, Places::of(before, merge_key)?);
    let (mut named, mut others) = (Vec::new(), Vec::new());
    for element in elements {
        let key = Key::of(&element, merge_key)?;
        if wanted.get(&key).is_some() { named.push(element) } else { others.push(element) }
    }
    let named = sort_by(named, &wanted, merge_key)?;
    let others = sort_by(others, &before, merge_key)?;

    let place = |element: &Json| Key::of(element, merge_key).map(|key| before.get(&key));
    let mut arranged = Vec::with_capacity(named.len() + others.len());
    let mut others = others.into_iter().peekable();
    for element in named {
        let here = place(&element)?;
        while let Some(other) = others.peek() {
            let was_before = matches!((place(other)?, here), (Some(there), Some(here)) if there < here);
            if !was_before {
                break;
            }
            arranged.extend(others.next());
        }
        arranged.push(element);
    }
    arranged.extend(others);
    Ok(arranged)
}

/// Checks that a patch's list can be sorted into the order of the patch.
pub(super) fn check_order(
    patch: &[Json],
    order: &[Json],
    merge_key: &'static str,
) -> Result<(), StrategicError> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut order = order.iter();
    for element in patch.iter().filter(|element| element.get(DIRECTIVE).is_none()) {
        let key = Key::of(element, merge_key)?;
        loop {
            let next = order.next().ok_or(StrategicErrorKind::OrderMismatch)?;
            if Key::of(next, merge_key)? == key {
                break;
            }
        }
    }
    Ok(())
}
