//! [`Document`]: the JSON object behind a configuration.

use std::fmt;

use crate::{Json, List, Map, Str};

/// A JSON object. It implements the setters once, for all configurations.
#[derive(Clone, PartialEq)]
pub struct Document(Json);

/// An object inside the document, for editing.
pub struct Part<'d>(&'d mut Json);

impl Document {
    /// A document without fields.
    pub const EMPTY: Self = Self(Json::EMPTY_MAP);

    /// Creates the document of an object that only has its kind.
    pub fn of_kind(api_version: &str, kind: &str) -> Self {
        let mut document = Self::EMPTY;
        document.set("apiVersion", api_version.into());
        document.set("kind", kind.into());
        document
    }

    /// Creates the document from an object.
    pub fn of_object(object: Json) -> Self {
        Self(object)
    }

    /// Returns the document.
    pub fn json(&self) -> &Json {
        &self.0
    }

    /// Returns the document.
    pub fn into_json(self) -> Json {
        self.0
    }

    /// Returns the object's metadata for editing.
    pub fn metadata(&mut self) -> Part<'_> {
        Part(Part(&mut self.0).at("metadata"))
    }

    /// Sets a field.
    pub fn set(&mut self, field: &'static str, value: Json) {
        Part(&mut self.0).set(field, value);
    }

    /// Adds to a list.
    pub fn extend(&mut self, field: &'static str, values: impl Iterator<Item = Json>) {
        Part(&mut self.0).extend(field, values);
    }

    /// Merges into a map.
    pub fn merge(&mut self, field: &'static str, entries: impl Iterator<Item = (Str, Json)>) {
        Part(&mut self.0).merge(field, entries);
    }

    /// Takes over all fields of another object, as `#[serde(flatten)]` does.
    pub fn absorb(&mut self, other: Json) {
        if let Json::Map(other) = other {
            self.put(other.into_iter());
        }
    }

    /// Sets fields whose names are known only at run time.
    pub fn put(&mut self, fields: impl Iterator<Item = (Str, Json)>) {
        let own = entries_of(&mut self.0);
        for (field, value) in fields {
            own.insert(field, value);
        }
    }

    /// Prints the names of the fields that are set.
    pub fn show(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.0.as_map().into_iter().flat_map(|map| map.keys());
        f.debug_tuple(name).field(&fields.collect::<Vec<_>>()).finish()
    }
}

/// Without the content: it may be a secret's.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show("Document", f)
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").finish_non_exhaustive()
    }
}

impl<'d> Part<'d> {
    /// Sets a field.
    pub fn set(self, field: &'static str, value: Json) {
        *self.at(field) = value;
    }

    /// Adds to a list.
    pub fn extend(self, field: &'static str, values: impl Iterator<Item = Json>) {
        let place = self.at(field);
        let mut list = match place.take() {
            Json::List(list) => list,
            _ => List::EMPTY,
        };
        values.for_each(|value| list.push(value));
        *place = Json::List(list);
    }

    /// Merges into a map.
    pub fn merge(self, field: &'static str, entries: impl Iterator<Item = (Str, Json)>) {
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
