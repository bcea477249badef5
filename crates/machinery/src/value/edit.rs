//! Changes parts of a value.

use std::collections::BTreeMap;
use std::mem;

use super::Json;
use crate::{Map, Str};

/// An object's entries while many of them change: sorted by key, each key once.
pub(crate) type Entries = BTreeMap<Str, Json>;

/// The entries of an object, to be edited; `collect` makes an object of them again.
pub(crate) fn entries(map: &Map<Json>) -> Entries {
    map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

impl Json {
    /// Takes the value out, leaving `null`.
    #[must_use]
    pub fn take(&mut self) -> Json {
        mem::take(self)
    }

    /// The object to be changed, if it is one.
    pub fn as_map_mut(&mut self) -> Option<&mut Map<Json>> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The array to be changed, if it is one.
    pub fn as_list_mut(&mut self) -> Option<&mut crate::List<Json>> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The value at a path of object keys, to be changed; `None` where there is none. An empty path is the
    /// value itself.
    pub fn path_mut<P: AsRef<str>>(&mut self, path: &[P]) -> Option<&mut Json> {
        // Looks first: what is not there must not copy the objects on the way.
        self.path(path)?;
        path.iter().try_fold(self, |value, key| value.as_map_mut()?.get_mut(key.as_ref()))
    }

    /// Sets the value at a path of object keys, making the objects on the way that are not there; gives what
    /// was there before.
    ///
    /// A value on the way that is neither an object nor `null` is in the way: nothing is changed then, and
    /// the value comes back as the error. An empty path sets the value itself.
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

    /// Removes the value at a path of object keys and gives it back; `None` where there is none. Of an empty
    /// path, takes the value itself.
    pub fn remove<P: AsRef<str>>(&mut self, path: &[P]) -> Option<Json> {
        let Some((last, way)) = path.split_last() else { return Some(self.take()) };
        self.path(path)?;
        self.path_mut(way)?.as_map_mut()?.remove(last.as_ref())
    }

    /// The object that it is, or that it now becomes.
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

/// Whether a path through objects, made where they are missing, ends at something else.
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
    fn removes_what_is_there() {
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
