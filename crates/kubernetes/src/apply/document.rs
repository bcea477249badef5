//! The document under a configuration.

use std::fmt;

use client_rs_machinery::{Json, List, Map, Str};

/// A JSON object. What setters do is here, once, and not in each of them.
#[derive(Clone, PartialEq)]
pub(crate) struct Document(Json);

/// An object inside the document, to be changed.
pub(super) struct Part<'d>(&'d mut Json);

impl Document {
    pub(super) const EMPTY: Self = Self(Json::EMPTY_MAP);

    pub(super) fn of_kind(api_version: &str, kind: &str) -> Self {
        let mut document = Self::EMPTY;
        document.set("apiVersion", api_version.into());
        document.set("kind", kind.into());
        document
    }

    /// Of an object's own document.
    pub(super) fn of_object(object: Json) -> Self {
        Self(object)
    }

    pub(super) fn json(&self) -> &Json {
        &self.0
    }

    pub(super) fn into_json(self) -> Json {
        self.0
    }

    pub(super) fn metadata(&mut self) -> Part<'_> {
        Part(Part(&mut self.0).at("metadata"))
    }

    pub(super) fn set(&mut self, field: &'static str, value: Json) {
        Part(&mut self.0).set(field, value);
    }

    pub(super) fn extend(&mut self, field: &'static str, values: impl Iterator<Item = Json>) {
        Part(&mut self.0).extend(field, values);
    }

    pub(super) fn merge(&mut self, field: &'static str, entries: impl Iterator<Item = (Str, Json)>) {
        Part(&mut self.0).merge(field, entries);
    }

    pub(super) fn show(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.0.as_map().into_iter().flat_map(|map| map.keys());
        f.debug_tuple(name).field(&fields.collect::<Vec<_>>()).finish()
    }
}

impl<'d> Part<'d> {
    pub(super) fn set(self, field: &'static str, value: Json) {
        *self.at(field) = value;
    }

    pub(super) fn extend(self, field: &'static str, values: impl Iterator<Item = Json>) {
        let place = self.at(field);
        let mut list = match place.take() {
            Json::List(list) => list,
            _ => List::EMPTY,
        };
        values.for_each(|value| list.push(value));
        *place = Json::List(list);
    }

    pub(super) fn merge(self, field: &'static str, entries: impl Iterator<Item = (Str, Json)>) {
        let map = entries_of(self.at(field));
        for (key, value) in entries {
            map.insert(key, value);
        }
    }

    fn at(self, field: &'static str) -> &'d mut Json {
        entries_of(self.0).get_or_insert_with(field, || Json::Null)
    }
}

/// The entries of an object, which the place is from now on.
fn entries_of(place: &mut Json) -> &mut Map<Json> {
    if place.as_map().is_none() {
        *place = Json::EMPTY_MAP;
    }
    match place {
        Json::Map(map) => map,
        _ => unreachable!("it was made an object"),
    }
}
