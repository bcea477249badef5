//! The fields of an object. Each has to be read: a field that is left is not supported.

use client_rs_machinery::{Json, Map, Str};

pub(super) struct Fields<'v> {
    path: String,
    rest: Vec<(&'v Str, &'v Json)>,
}

impl<'v> Fields<'v> {
    pub(super) fn of(value: &'v Json, path: &str) -> Result<Self, String> {
        static EMPTY: Json = Json::Map(Map::EMPTY);
        let value = if value.is_null() { &EMPTY } else { value };
        let map = value.as_map().ok_or_else(|| format!("{path} is not an object"))?;
        Ok(Self { path: path.to_owned(), rest: map.iter().filter(|(_, value)| !value.is_null()).collect() })
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.rest.iter().any(|(key, _)| **key == name)
    }

    fn take(&mut self, name: &str) -> Option<&'v Json> {
        let at = self.rest.iter().position(|(key, _)| **key == name)?;
        Some(self.rest.swap_remove(at).1)
    }

    /// An object; an empty one if it is missing.
    pub(super) fn map(&mut self, name: &str) -> Result<Fields<'v>, String> {
        static NULL: Json = Json::Null;
        Fields::of(self.take(name).unwrap_or(&NULL), &format!("{}.{name}", self.path))
    }

    /// A list of objects; an empty one if it is missing.
    pub(super) fn maps(&mut self, name: &str) -> Result<Vec<Fields<'v>>, String> {
        let Some(value) = self.take(name) else { return Ok(Vec::new()) };
        let path = format!("{}.{name}", self.path);
        let list = value.as_list().ok_or_else(|| format!("{path} is not a list"))?;
        list.iter().enumerate().map(|(index, one)| Fields::of(one, &format!("{path}[{index}]"))).collect()
    }

    pub(super) fn text(&mut self, name: &str) -> Option<&'v str> {
        self.take(name)?.as_str()
    }

    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let list = self.take(name).and_then(Json::as_list);
        list.into_iter().flat_map(|list| list.iter()).filter_map(Json::as_str).map(str::to_owned).collect()
    }

    pub(super) fn number(&mut self, name: &str) -> Option<i64> {
        self.take(name)?.as_i64()
    }

    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.take(name).and_then(Json::as_bool) == Some(true)
    }

    pub(super) fn pairs(&mut self, name: &str) -> Vec<(Str, Json)> {
        let map = self.take(name).and_then(Json::as_map);
        map.into_iter().flat_map(|map| map.iter()).map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// Refuses a field that was not read.
    pub(super) fn end(&self) -> Result<(), String> {
        match self.rest.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!("{}.{name} is not supported", self.path)),
        }
    }
}
