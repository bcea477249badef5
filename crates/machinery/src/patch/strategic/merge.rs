//! Merges a patch into an object, or into another patch.

use std::collections::HashSet;

use super::lists::{Key, Places, arrange, check_order, element_type, is_deletion, sort_by};
use super::schema::{Rules, Schema};
use super::{
    DELETE_FROM_LIST, DIRECTIVE, RETAIN_KEYS, SET_ORDER, StrategicError, StrategicErrorKind, wrong_type,
};
use crate::value::{Entries, entries};
use crate::{Json, JsonType, List, Map, Str};

/// The target of a merge.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// An object: directives are carried out.
    Apply,
    /// Another patch: directives and `null`s stay in it.
    Combine,
}

pub(super) fn merge_maps(
    original: &Map<Json>,
    patch: &Map<Json>,
    schema: Schema,
    mode: Mode,
) -> Result<Map<Json>, StrategicError> {
    if let Some(directive) = patch.get(DIRECTIVE) {
        return match directive.as_str() {
            Some("replace") => Ok(match mode.take(&Json::Map(without(patch, DIRECTIVE))) {
                Json::Map(taken) => taken,
                _ => Map::EMPTY,
            }),
            Some("delete") => Ok(Map::EMPTY),
            _ => Err(StrategicErrorKind::UnknownDirective.into()),
        };
    }
    let mut merging = Merging { merged: entries(original), patch: entries(patch), schema, mode };
    merging.retain_keys()?;
    merging.ordered_lists()?;
    for (key, value) in std::mem::take(&mut merging.patch) {
        merging.entry(&key, &value).map_err(|error| error.at(&key))?;
    }
    Ok(merging.merged.into_iter().collect())
}

impl Mode {
    /// Copies a part of the patch unchanged. The copy of an object has no directives left.
    fn take(self, value: &Json) -> Json {
        match self {
            Self::Apply => plain(value),
            Self::Combine => value.clone(),
        }
    }
}

struct Merging {
    merged: Entries,
    /// The rest of the patch.
    patch: Entries,
    schema: Schema,
    mode: Mode,
}

impl Merging {
    /// Carries out `$retainKeys`, or hands it on.
    fn retain_keys(&mut self) -> Result<(), StrategicError> {
        let Some(keys) = self.patch.remove(RETAIN_KEYS) else { return Ok(()) };
        if self.mode == Mode::Combine {
            return self.hand_on(RETAIN_KEYS.into(), keys, RETAIN_KEYS);
        }
        let Json::List(keys) = &keys else {
            return Err(StrategicErrorKind::MalformedDirective(RETAIN_KEYS).into());
        };
        let keys: HashSet<&str> = keys.iter().filter_map(Json::as_str).collect();
        for (key, value) in &self.patch {
            let is_directive = key.starts_with(DELETE_FROM_LIST) || key.starts_with(SET_ORDER);
            if !value.is_null() && !is_directive && !keys.contains(key.as_str()) {
                return Err(StrategicError::from(StrategicErrorKind::NotRetained).at(key));
            }
        }
        self.merged.retain(|key, _| keys.contains(key.as_str()));
        Ok(())
    }

    /// Merges the lists that have a `$setElementOrder`, and takes them out of the patch.
    fn ordered_lists(&mut self) -> Result<(), StrategicError> {
        let directives: Vec<Str> =
            self.patch.keys().filter(|key| key.starts_with(SET_ORDER)).cloned().collect();
        for directive in directives {
            let Some(order) = self.patch.remove(&directive) else { continue };
            let field = field_of(&directive, SET_ORDER)?;
            self.ordered_list(&directive, field, &order).map_err(|error| error.at(field))?;
        }
        Ok(())
    }

    fn ordered_list(&mut self, directive: &Str, field: &str, order: &Json) -> Result<(), StrategicError> {
        if self.mode == Mode::Combine {
            self.hand_on(directive.clone(), order.clone(), SET_ORDER)?;
        }
        let order = list(order)?;
        let original = self.merged.get(field).filter(|value| !value.is_null()).map(list).transpose()?;
        let patch = self.patch.get(field).map(list).transpose()?;
        let rules = self.schema.field(field);
        check_order(patch.as_deref().unwrap_or_default(), &order, rules.merge_key)?;
        let Merged { elements, before } = match (original, patch) {
            (None, None) => return Ok(()),
            (Some(original), None) => Merged { elements: original.to_vec(), before: original },
            (None, Some(patch)) => {
                let kept = patch.iter().filter_map(without_directed);
                let elements =
                    kept.map(|element| take_element(&element, rules.merge_key, self.mode)).collect();
                Merged { elements, before: List::EMPTY }
            }
            (Some(original), Some(patch)) => merge_lists(&original, &patch, rules, false, self.mode)?,
        };
        let arranged = arrange(elements, &order, &before, rules.merge_key)?;
        self.merged.insert(field.into(), Json::List(arranged.into()));
        self.patch.remove(field);
        Ok(())
    }

    /// Merges one entry of the patch.
    fn entry(&mut self, key: &Str, value: &Json) -> Result<(), StrategicError> {
        if key.starts_with(DELETE_FROM_LIST) {
            return self.deletion(key, value);
        }
        if value.is_null() {
            match self.mode {
                Mode::Apply => self.merged.remove(key),
                Mode::Combine => self.merged.insert(key.clone(), Json::Null),
            };
            return Ok(());
        }
        let rules = self.schema.field(key);
        let merged = match (self.merged.get(key), value) {
            (Some(Json::Map(original)), Json::Map(patch)) if !rules.replace => {
                Some(Json::Map(merge_maps(original, patch, rules.schema, self.mode)?))
            }
            (Some(Json::Map(_)), Json::Map(_)) => Some(self.mode.take(value)),
            (Some(Json::List(original)), Json::List(patch)) => {
                Some(Json::List(merge_lists(original, patch, rules, false, self.mode)?.elements.into()))
            }
            _ => without_directed(value).map(|value| self.mode.take(&value)),
        };
        match merged {
            Some(merged) => self.merged.insert(key.clone(), merged),
            None => self.merged.remove(key),
        };
        Ok(())
    }

    /// Carries out a `$deleteFromPrimitiveList`, or hands it on.
    fn deletion(&mut self, directive: &Str, values: &Json) -> Result<(), StrategicError> {
        if self.mode == Mode::Combine {
            self.merged.insert(directive.clone(), values.clone());
            return Ok(());
        }
        let field = field_of(directive, DELETE_FROM_LIST)?;
        match (self.merged.get(field), values) {
            (_, Json::Null) => {
                self.merged.remove(field);
            }
            (Some(Json::List(original)), Json::List(values)) => {
                let merged = merge_lists(original, values, self.schema.field(field), true, self.mode)?;
                self.merged.insert(field.into(), Json::List(merged.elements.into()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts a directive into the patch that is merged into; two of them must agree.
    fn hand_on(&mut self, key: Str, value: Json, directive: &'static str) -> Result<(), StrategicError> {
        match self.merged.get(&key) {
            Some(there) if *there != value => Err(StrategicErrorKind::MalformedDirective(directive).into()),
            Some(_) => Ok(()),
            None => {
                self.merged.insert(key, value);
                Ok(())
            }
        }
    }
}

/// A merged list, and the order to go by for elements that a patch does not order.
///
/// That is the original's order. As in the API server, what the patch adds takes in it the places that
/// removed elements leave at the end.
struct Merged {
    elements: Vec<Json>,
    before: List<Json>,
}

fn merge_lists(
    original: &List<Json>,
    patch: &List<Json>,
    rules: Rules,
    removes: bool,
    mode: Mode,
) -> Result<Merged, StrategicError> {
    if !rules.merge && !removes {
        let elements = patch.iter().map(|element| mode.take(element)).collect();
        return Ok(Merged { elements, before: original.clone() });
    }
    match element_type(original.iter().chain(patch))? {
        None => Ok(Merged { elements: Vec::new(), before: List::EMPTY }),
        Some(JsonType::Map) if rules.merge_key.is_empty() => {
            Err(StrategicErrorKind::NoMergeKeyDeclared.into())
        }
        Some(JsonType::Map) => merge_objects(original, patch, rules, mode),
        Some(_) if removes && mode == Mode::Apply => {
            let unwanted = Places::of(patch, "")?;
            let mut elements = Vec::with_capacity(original.len());
            for element in original {
                if unwanted.get(&Key::of(element, "")?).is_none() {
                    elements.push(element.clone());
                }
            }
            Ok(Merged { elements, before: original.clone() })
        }
        Some(_) => {
            let mut seen = HashSet::new();
            let mut elements = Vec::with_capacity(original.len() + patch.len());
            for element in original.iter().chain(patch) {
                if seen.insert(Key::of(element, rules.merge_key)?) {
                    elements.push(element.clone());
                }
            }
            let elements = arrange(elements, patch, original, rules.merge_key)?;
            Ok(Merged { elements, before: original.clone() })
        }
    }
}

fn merge_objects(
    original: &List<Json>,
    patch: &List<Json>,
    rules: Rules,
    mode: Mode,
) -> Result<Merged, StrategicError> {
    let merge_key = rules.merge_key;
    let mut removed = HashSet::new();
    let mut plain = Vec::with_capacity(patch.len());
    let mut replace = false;
    for element in patch {
        match element.get(DIRECTIVE) {
            None => plain.push(element.clone()),
            Some(_) if is_deletion(element) => {
                removed.insert(Key::of(element, merge_key)?);
            }
            Some(directive) if *directive == "replace" => replace = true,
            Some(_) => return Err(StrategicErrorKind::UnknownDirective.into()),
        }
    }
    let mut before = Vec::with_capacity(original.len());
    for element in original {
        if removed.is_empty() || !removed.contains(&Key::of(element, merge_key)?) {
            before.push(element.clone());
        }
    }
    let before = List::from(before);
    if replace {
        // They come in the patch's order; a key that comes twice stays twice.
        let order = Places::of(&plain, merge_key)?;
        let taken = plain.iter().map(|element| take_element(element, merge_key, mode)).collect();
        return Ok(Merged { elements: sort_by(taken, &order, merge_key)?, before });
    }

    let mut elements = before.to_vec();
    let mut places = Places::of(&elements, merge_key)?;
    for element in &plain {
        let key = Key::of(element, merge_key)?;
        if let Some(at) = places.get(&key) {
            if let (Json::Map(there), Json::Map(patch)) = (&elements[at], element) {
                elements[at] = Json::Map(merge_maps(there, patch, rules.schema, mode)?);
            }
        } else {
            places.insert(key, elements.len());
            elements.push(take_element(element, merge_key, mode));
        }
    }
    let left = original.len() - before.len();
    let added: Vec<Json> = elements.iter().skip(before.len()).take(left).cloned().collect();
    let elements = arrange(elements, &plain, &before, merge_key)?;
    Ok(Merged { elements, before: before.iter().cloned().chain(added).collect() })
}

/// The field that a directive's key names behind its prefix.
fn field_of<'a>(key: &'a str, directive: &'static str) -> Result<&'a str, StrategicError> {
    key.strip_prefix(directive)
        .and_then(|rest| rest.strip_prefix('/'))
        .ok_or_else(|| StrategicError::from(StrategicErrorKind::MalformedDirective(directive)).at(key))
}

fn list(value: &Json) -> Result<List<Json>, StrategicError> {
    value.as_list().cloned().ok_or_else(|| wrong_type(JsonType::List, value))
}

fn without(map: &Map<Json>, key: &str) -> Map<Json> {
    let mut map = map.clone();
    map.remove(key);
    map
}

/// An element that is taken over from a patch's list; it keeps its key, `null` or not.
fn take_element(element: &Json, merge_key: &'static str, mode: Mode) -> Json {
    let mut taken = mode.take(element);
    if let (Json::Map(taken), Some(Json::Null)) = (&mut taken, element.get(merge_key)) {
        taken.insert(merge_key, Json::Null);
    }
    taken
}

/// The value without `null`s and directives in its objects, at any depth.
fn plain(value: &Json) -> Json {
    match value {
        Json::Map(map) => {
            let kept = map.iter().filter(|(key, value)| !value.is_null() && !is_directive(key));
            kept.map(|(key, value)| (key.clone(), plain(value))).collect()
        }
        Json::List(list) => list.iter().map(plain).collect(),
        _ => value.clone(),
    }
}

/// The value without the objects that hold a `$patch`, at any depth; `None` when it is one itself.
fn without_directed(value: &Json) -> Option<Json> {
    Some(match value {
        Json::Map(map) if map.contains_key(DIRECTIVE) => return None,
        Json::Map(map) => {
            let kept = map.iter().filter_map(|(key, value)| Some((key.clone(), without_directed(value)?)));
            kept.collect()
        }
        Json::List(list) => list.iter().filter_map(without_directed).collect(),
        _ => value.clone(),
    })
}

fn is_directive(key: &str) -> bool {
    let named = |directive| key.strip_prefix(directive).is_some_and(|rest| rest.starts_with('/'));
    key == DIRECTIVE || key == RETAIN_KEYS || named(SET_ORDER) || named(DELETE_FROM_LIST)
}
