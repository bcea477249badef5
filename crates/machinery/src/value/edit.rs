//! Changes parts of a value.

use std::collections::BTreeMap;
use std::mem;

use super::Json;
use crate::{Map, Str};

/// An object's entries while many of them change: sorted by key, each key once.
pub(crate) type Entries = BTreeMap<Str, Json>;

/// The entries of an object for editing; `collect` turns them into an object again.
pub(crate) fn entries(map: &Map<Json>) -> Entries {
    map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

impl Json {
    /// Takes the value out, leaving `null`.
    #[must_use]
    pub fn take(&mut self) -> Json {
        mem::take(self)
    }

    /// Returns the object for editing, if the value is one.
    pub fn as_map_mut(&mut self) -> Option<&mut Map<Json>> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the array for editing, if the value is one.
    pub fn as_list_mut(&mut self) -> Option<&mut crate::List<Json>> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the value at a path of object keys for editing, if it exists. An empty path returns the value itself.
    pub fn path_mut<P: AsRef<str>>(&mut self, path: &[P]) -> Option<&mut Json> {
        // Check first: a missing path must not copy the objects on the way.
        self.path(path)?;
        path.iter().try_fold(self, |value, key| value.as_map_mut()?.get_mut(key.as_ref()))
    }

    /// Sets the value at a path of object keys, and returns the previous value. Missing objects on the path are
    /// created. An empty path sets the value itself.
    ///
    /// # Errors
    ///
    /// A value on the path is neither an object nor `null`. Then nothing is changed, and the error is the new value.
    pub fn set<P: AsRef<str>>(&mut self, path: &[P], value: impl Into<Json>) -> Result<Option<Json>, Json> {
        let value = value.into();
        let Some((last, way)) = path.split_last() else { return Ok(Some(mem::replace(self, value))) };
        if blocked(self, path) {
            return Err(value);
        }
        let mut parent = self;
        for key in way {
            parent = parent.made_map().get_or_insert_with(key.as_ref(), Json::default);
        }
        Ok(parent.made_map().insert(last.as_ref(), value))
    }

    /// Removes the value at a path of object keys and returns it, if it exists. An empty path takes the value itself.
    pub fn remove<P: AsRef<str>>(&mut self, path: &[P]) -> Option<Json> {
        let Some((last, way)) = path.split_last() else { return Some(self.take()) };
        self.path(path)?;
        self.path_mut(way)?.as_map_mut()?.remove(last.as_ref())
    }

    /// Returns the object, or turns the value into an empty one.
    fn made_map(&mut self) -> &mut Map<Json> {
        if !matches!(self, Self::Map(_)) {
            *self = Self::EMPTY_MAP;
        }
        match self {
            Self::Map(map) => map,
            _ => unreachable!("it was just made one"),
        }
    }
}

/// Whether a path through objects, created where they are missing, ends at a value of another type.
fn blocked<P: AsRef<str>>(value: &Json, path: &[P]) -> bool {
    let mut value = value;
    for key in path {
        match value {
            Json::Null => return false,
            Json::Map(map) => match map.get(key.as_ref()) {
                Some(child) => value = child,
                None => return false,
            },
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::{Json, json};

    #[test]
    fn sets_and_makes_the_way() {
        let mut value = json!({"a": {"b": 1}});
        assert_eq!(value.set(&["a", "b"], 2), Ok(Some(json!(1))));
        assert_eq!(value.set(&["a", "c", "d"], "x"), Ok(None));
        assert_eq!(value.set(&["e"], Json::Null), Ok(None));
        assert_eq!(value.set(&["e", "f"], 3), Ok(None));
        assert_eq!(value, json!({"a": {"b": 2, "c": {"d": "x"}}, "e": {"f": 3}}));
        assert_eq!(Json::Null.set(&["a"], 1), Ok(None));
        assert_eq!(json!(1).set::<&str>(&[], 2), Ok(Some(json!(1))));
    }

    #[test]
    fn changes_nothing_when_something_is_in_the_way() {
        let before = json!({"a": {"b": [1]}, "c": 1});
        let mut value = before.clone();
        for path in [&["a", "b", "c"][..], &["a", "b", "0", "x"], &["c", "d"]] {
            assert_eq!(value.set(path, 9), Err(json!(9)), "{path:?}");
            assert_eq!(value, before);
        }
        assert_eq!(json!([1]).set(&["a"], 9), Err(json!(9)));
    }

    #[test]
    fn removes_the_existing_value() {
        let mut value = json!({"a": {"b": 1, "c": 2}});
        assert_eq!(value.remove(&["a", "x"]), None);
        assert_eq!(value.remove(&["a", "b", "x"]), None);
        assert_eq!(value.remove(&["a", "b"]), Some(json!(1)));
        assert_eq!(value, json!({"a": {"c": 2}}));
        assert_eq!(value.remove::<&str>(&[]), Some(json!({"a": {"c": 2}})));
        assert_eq!(value, Json::Null);
    }

    #[test]
    fn parts_are_changed_in_place() {
        let mut value = json!({"a": {"list": [1]}});
        value.path_mut(&["a", "list"]).unwrap().as_list_mut().unwrap().push(json!(2));
        value.path_mut(&["a"]).unwrap().as_map_mut().unwrap().insert("b", json!(true));
        assert_eq!(value, json!({"a": {"list": [1, 2], "b": true}}));
        assert_eq!(value.path_mut(&["a", "none"]), None);
        assert_eq!(value.path_mut(&["a", "list", "0"]), None);
        assert!(value.as_list_mut().is_none() && json!([]).as_map_mut().is_none());
    }

    #[test]
    fn a_clone_does_not_see_edits() {
        let original = json!({"a": {"b": 1}});
        let mut edited = original.clone();
        edited.set(&["a", "b"], 2).unwrap();
        edited.remove(&["a", "b"]);
        assert_eq!(original, json!({"a": {"b": 1}}));
    }
}
