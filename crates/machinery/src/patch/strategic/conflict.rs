//! Finds where two patches for one object disagree.

use std::collections::{HashMap, HashSet};

use super::lists::{Key, element_type};
use super::schema::{Rules, Schema};
use super::{DELETE_FROM_LIST, DIRECTIVE, RETAIN_KEYS, SET_ORDER, StrategicError};
use crate::{Json, JsonType, Map};

/// Returns the first path at which both patches set different values; innermost key first.
pub(super) fn conflicts(
    left: &Map<Json>,
    right: &Map<Json>,
    schema: Schema,
) -> Result<Option<Vec<String>>, StrategicError> {
    if left.get(DIRECTIVE) != right.get(DIRECTIVE) {
        return Ok(Some(Vec::new()));
    }
    for (key, value) in left {
        // Deletions from a list and its order are directives: they change no value.
        let is_directive = [DIRECTIVE, RETAIN_KEYS].contains(&key.as_str())
            || key.starts_with(DELETE_FROM_LIST)
            || key.starts_with(SET_ORDER);
        let Some(other) = right.get(key).filter(|_| !is_directive) else { continue };
        let found = values(value, other, schema.field(key)).map_err(|error| error.at(key))?;
        if let Some(mut path) = found {
            path.push(key.chars().take(64).collect());
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn values(left: &Json, right: &Json, rules: Rules) -> Result<Option<Vec<String>>, StrategicError> {
    match (left, right) {
        (Json::Map(left), Json::Map(right)) if rules.replace => {
            Ok((left.get(DIRECTIVE) != right.get(DIRECTIVE)).then(Vec::new))
        }
        (Json::Map(left), Json::Map(right)) => conflicts(left, right, rules.schema),
        (Json::List(left), Json::List(right)) => lists(left, right, rules),
        _ => Ok((left != right).then(Vec::new)),
    }
}

fn lists(left: &[Json], right: &[Json], rules: Rules) -> Result<Option<Vec<String>>, StrategicError> {
    if rules.merge {
        return merged_lists(left, right, rules);
    }
    if left.len() != right.len() {
        return Ok(Some(Vec::new()));
    }
    let elements = || left.iter().chain(right);
    if elements().all(|element| element.json_type() == JsonType::Map) {
        for (left, right) in left.iter().zip(right) {
            if let (Json::Map(left), Json::Map(right)) = (left, right)
                && let Some(path) = conflicts(left, right, rules.schema)?
            {
                return Ok(Some(path));
            }
        }
        return Ok(None);
    }
    // The order of plain values is no conflict.
    let plain =
        |list: &[Json]| list.iter().map(|value| Key::of(value, "")).collect::<Result<HashSet<_>, _>>();
    match (plain(left), plain(right)) {
        (Ok(left), Ok(right)) => Ok((left != right).then(Vec::new)),
        _ => Ok((left != right).then(Vec::new)),
    }
}

/// Lists of plain values merge without conflict; elements with a key disagree where they differ.
fn merged_lists(left: &[Json], right: &[Json], rules: Rules) -> Result<Option<Vec<String>>, StrategicError> {
    if element_type(left.iter().chain(right))? != Some(JsonType::Map) {
        return Ok(None);
    }
    let mut by_key = HashMap::with_capacity(right.len());
    for element in right {
        by_key.insert(Key::of(element, rules.merge_key)?, element);
    }
    for element in left {
        let other = by_key.get(&Key::of(element, rules.merge_key)?);
        if let (Json::Map(left), Some(Json::Map(right))) = (element, other)
            && let Some(path) = conflicts(left, right, rules.schema)?
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
