//! The maps and lists of documents that field managers own as a whole.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use client_rs_machinery::{Json, Map, Resource, Str};

/// How many maps and lists are remembered of one kind. More than that are possible only in maps whose keys users choose; those are then
/// compared value by value.
const NODES: usize = 4_096;

/// The maps and lists of the documents of one kind, as a tree: which of them have one owner as a whole (atomic), so that an additional
/// value in them is a change.
///
/// The types of Rust do not have this property, and caches hold no managed fields. The response to an apply shows it: its managed fields
/// name the values of a granular map one by one, and an atomic one as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    atomic: bool,
    fields: BTreeMap<Str, Shape>,
    /// All items of a list have the same type.
    items: Option<Box<Shape>>,
    /// At the root: whether there were more than can be remembered.
    full: bool,
}

type Kind = (&'static str, &'static str, &'static str);

static KINDS: LazyLock<Mutex<HashMap<Kind, Arc<Shape>>>> = LazyLock::new(Mutex::default);

/// The shape of a kind, as far as this process knows it.
pub(super) fn shape_of<K: Resource>() -> Arc<Shape> {
    KINDS.lock().unwrap_or_else(PoisonError::into_inner).get(&kind::<K>()).cloned().unwrap_or_default()
}

/// Learns the shape of a document from the object that the server returned for an apply of this field manager, to the object or to a
/// subresource.
pub(super) fn learn_shape<K: Resource>(document: &Json, returned: &Json, manager: &str, subresource: &str) {
    let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    let shape = Arc::make_mut(kinds.entry(kind::<K>()).or_default());
    shape.update(document, returned, fields_of(returned, manager, subresource).unwrap_or(&Json::Null));
}

fn kind<K: Resource>() -> Kind {
    (K::INFO.group, K::INFO.version, K::INFO.kind)
}

/// The fields that a manager has applied.
fn fields_of<'o>(object: &'o Json, manager: &str, subresource: &str) -> Option<&'o Json> {
    let managers = object["metadata"]["managedFields"].as_list()?;
    let is_own = |entry: &&Json| {
        entry["manager"].as_str() == Some(manager)
            && entry["operation"].as_str() == Some("Apply")
            && entry.get("subresource").and_then(Json::as_str).unwrap_or_default() == subresource
    };
    managers.iter().find(is_own).map(|entry| &entry["fieldsV1"])
}

impl Shape {
    pub(super) fn is_atomic(this: Option<&Self>) -> bool {
        this.is_some_and(|shape| shape.atomic)
    }

    pub(super) fn field<'s>(this: Option<&'s Self>, name: &str) -> Option<&'s Self> {
        this?.fields.get(name)
    }

    pub(super) fn item(this: Option<&Self>) -> Option<&Self> {
        this?.items.as_deref()
    }

    /// Whether it has every map and list of a document, or can't have more.
    pub(super) fn covers(&self, document: &Json) -> bool {
        self.full || self.has(document)
    }

    /// Learns from the response to an apply. `owned` are the fields of its manager.
    fn update(&mut self, document: &Json, returned: &Json, owned: &Json) {
        let mut updated = self.clone();
        updated.learn(document, returned, owned);
        updated.add(document);
        if updated.nodes() <= NODES {
            *self = updated;
        } else {
            self.full = true;
        }
    }

    fn has(&self, document: &Json) -> bool {
        let has = |shape: Option<&Self>, value: &Json| {
            !is_container(value) || shape.is_some_and(|shape| shape.has(value))
        };
        self.atomic
            || match document {
                Json::Map(map) => map.iter().all(|(name, value)| has(self.fields.get(name), value)),
                Json::List(list) => list.iter().all(|value| has(self.items.as_deref(), value)),
                _ => true,
            }
    }

    fn nodes(&self) -> usize {
        1 + self.fields.values().chain(self.items.as_deref()).map(Self::nodes).sum::<usize>()
    }

    /// Learns which values of a document have an owner as a whole: `owned` is a node of managed fields, and an empty one has nothing below.
    fn learn(&mut self, document: &Json, live: &Json, owned: &Json) {
        let Json::Map(owned) = owned else { return };
        for (key, owned) in owned {
            let (Some(value), Some(live)) = (part(document, key), part(live, key)) else { continue };
            // An empty map has nothing below either, also a granular one.
            if !is_container(value) || !is_container(live) {
                continue;
            }
            let shape = match key.strip_prefix("f:") {
                Some(name) => self.fields.entry(name.into()).or_default(),
                None => self.items.get_or_insert_default(),
            };
            if owned.as_map().is_some_and(Map::is_empty) {
                *shape = Self { atomic: true, ..Self::default() };
            } else {
                shape.atomic = false;
                shape.learn(value, live, owned);
            }
        }
    }

    /// Adds the maps and lists of a document that the managed fields do not have, as granular ones.
    fn add(&mut self, document: &Json) {
        match document {
            _ if self.atomic => {}
            Json::Map(map) => {
                for (name, value) in map.iter().filter(|(_, value)| is_container(value)) {
                    self.fields.entry(name.clone()).or_default().add(value);
                }
            }
            Json::List(list) => {
                for value in list.iter().filter(|value| is_container(value)) {
                    self.items.get_or_insert_default().add(value);
                }
            }
            _ => {}
        }
    }
}

/// Whether a value has parts that others may add to: a map, or a list of maps. Lists of plain values are always compared as a whole.
fn is_container(value: &Json) -> bool {
    match value {
        Json::Map(map) => map.values().any(|value| !value.is_null()),
        Json::List(list) => list.iter().any(is_container),
        _ => false,
    }
}

/// The part of a value at a key of managed fields: `f:` and a field, or `k:` and the keys of an item. A document may leave out keys that
/// have a default.
fn part<'j>(value: &'j Json, key: &str) -> Option<&'j Json> {
    if let Some(name) = key.strip_prefix("f:") {
        return value.as_map()?.get(name);
    }
    let keys = Json::parse(key.strip_prefix("k:")?.as_bytes()).ok()?;
    let keys = keys.as_map()?;
    let is_it = |item: &&Json| {
        keys.iter().all(|(name, value)| item.get(name.as_str()).is_none_or(|own| own == value))
    };
    value.as_list()?.iter().find(is_it)
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    /// The paths of atomic values.
    fn atomic(shape: &Shape, path: &str, found: &mut Vec<String>) {
        if shape.atomic {
            found.push(path.to_owned());
        }
        for (name, field) in &shape.fields {
            atomic(field, &format!("{path}.{name}"), found);
        }
        if let Some(items) = &shape.items {
            atomic(items, &format!("{path}[]"), found);
        }
    }

    #[test]
    fn managed_fields_show_what_is_owned_as_a_whole() {
        let document = json!({
            "data": {"a": "1"}, "none": {}, "unset": {"a": null}, "dropped": {"a": {"b": "1"}},
            "spec": {"selector": {"a": "1"}, "rules": [{"host": "a"}], "args": ["a"], "ports": [
                {"port": 80, "by": {"a": "1"}}, {"port": 81, "to": {"a": "1"}},
            ]},
        });
        let mut live = document.clone();
        live.remove(&["dropped"]);
        let owned = json!({
            "f:data": {"f:a": {}}, "f:none": {}, "f:unset": {}, "f:other": {},
            "f:spec": {"f:selector": {}, "f:rules": {}, "f:args": {}, "f:ports": {
                "k:{\"port\":81,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}, "f:to": {"f:a": {}}},
                "k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}, "f:by": {}},
            }},
        });
        let mut shape = Shape::default();
        assert!(!shape.covers(&document));
        shape.update(&document, &live, &owned);
        let mut found = Vec::new();
        atomic(&shape, "", &mut found);
        assert_eq!(found, [".spec.ports[].by", ".spec.rules", ".spec.selector"]);
        assert!(shape.covers(&document) && !shape.covers(&json!({"spec": {"more": {"a": "1"}}})));
        // A newer version of the definition.
        shape.update(&document, &live, &json!({"f:spec": {"f:selector": {"f:a": {}}}}));
        assert!(!shape.fields["spec"].fields["selector"].atomic);
    }

    #[test]
    fn a_response_without_managed_fields_makes_everything_granular() {
        let document = json!({"spec": {"a": {"b": "1"}}});
        let mut shape = Shape::default();
        shape.update(&document, &document, &Json::Null);
        assert!(shape.covers(&document) && !shape.fields["spec"].fields["a"].atomic);
    }

    #[test]
    fn memory_is_bounded() {
        let names = (0..2 * NODES).map(|index| (Str::from(index.to_string()), json!({"a": "1"})));
        let document = Json::Map(names.collect());
        let mut shape = Shape::default();
        shape.update(&document, &document, &Json::Null);
        assert!(shape.nodes() <= NODES && shape.covers(&document));
    }
}
