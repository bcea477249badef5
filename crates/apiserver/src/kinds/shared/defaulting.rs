//! Sets defaults of missing fields.

use client_rs_machinery::{Json, Map};

/// Whether a key has no value.
pub(crate) fn missing(map: &Map<Json>, key: &str) -> bool {
    map.get(key).is_none_or(Json::is_null)
}

/// Whether the value at a key is this text.
pub(crate) fn is(map: &Map<Json>, key: &str, value: &str) -> bool {
    map.get(key).and_then(Json::as_str) == Some(value)
}

/// Sets a key without a value.
pub(crate) fn default(map: &mut Map<Json>, key: &str, value: impl Into<Json>) {
    // A missing string is encoded as an empty one.
    let empty = map.get(key).and_then(Json::as_str) == Some("");
    if missing(map, key) || empty {
        map.insert(key, value.into());
    }
}

/// The object at a key. A missing one is created.
pub(crate) fn within<'m>(map: &'m mut Map<Json>, key: &str) -> &'m mut Map<Json> {
    let value = map.get_or_insert_with(key, || Json::EMPTY_MAP);
    if value.as_map().is_none() {
        *value = Json::EMPTY_MAP;
    }
    match value {
        Json::Map(inner) => inner,
        _ => unreachable!("it was just made one"),
    }
}

/// Whether the list at a key has no items.
pub(crate) fn list_is_empty(map: &Map<Json>, key: &str) -> bool {
    map.get(key).and_then(Json::as_list).is_none_or(client_rs_machinery::List::is_empty)
}

/// The objects of the list at a key.
pub(crate) fn items<'m>(map: &'m mut Map<Json>, key: &str) -> impl Iterator<Item = &'m mut Map<Json>> {
    let list = if list_is_empty(map, key) { None } else { map.get_mut(key).and_then(Json::as_list_mut) };
    list.into_iter().flat_map(|list| list.make_mut().iter_mut()).filter_map(Json::as_map_mut)
}

/// Sets the default protocol of ports.
pub(crate) fn protocols(holder: &mut Map<Json>) {
    for port in items(holder, "ports") {
        default(port, "protocol", "TCP");
    }
}
