//! Access to fields by path.

use super::{NestedError, Unstructured};
use crate::wire::MAX_DEPTH;
use crate::{Json, JsonType, List, Map, Str};

/// Access by path. `Ok(None)` means that the field, or an object on the path to it, is absent or `null`. An error
/// means that a value has another type.
impl Unstructured {
    /// Returns a field of any type; `Some(Json::Null)` if the object contains `null` there.
    pub fn nested<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<&Json>, NestedError> {
        let (last, way) = path.split_last().ok_or_else(|| NestedError::invalid_path(path))?;
        let mut map = &self.object;
        for (at, key) in way.iter().enumerate() {
            map = match map.get(key.as_ref()) {
                None | Some(Json::Null) => return Ok(None),
                Some(Json::Map(inner)) => inner,
                Some(other) => {
                    return Err(NestedError::wrong_type(&path[..=at], JsonType::Map, other.json_type()));
                }
            };
        }
        Ok(map.get(last.as_ref()))
    }

    /// Returns a string.
    pub fn nested_str<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<&str>, NestedError> {
        self.typed(path, JsonType::Str, Json::as_str)
    }

    /// Returns an integer.
    pub fn nested_i64<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<i64>, NestedError> {
        self.typed(path, JsonType::Int, Json::as_i64)
    }

    /// Returns a number, also an integer.
    pub fn nested_f64<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<f64>, NestedError> {
        self.typed(path, JsonType::Float, Json::as_f64)
    }

    /// Returns a boolean.
    pub fn nested_bool<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<bool>, NestedError> {
        self.typed(path, JsonType::Bool, Json::as_bool)
    }

    /// Returns an array.
    pub fn nested_slice<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<&[Json]>, NestedError> {
        self.typed(path, JsonType::List, |value| value.as_list().map(List::as_slice))
    }

    /// Returns an object.
    pub fn nested_map<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<&Map<Json>>, NestedError> {
        self.typed(path, JsonType::Map, Json::as_map)
    }

    /// Returns an array of strings, which are shared with the object.
    pub fn nested_str_list<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<List<Str>>, NestedError> {
        let Some(list) = self.nested_slice(path)? else { return Ok(None) };
        let strings = list.iter().enumerate().map(|(at, value)| {
            let key = at.to_string();
            value.as_shared_str().cloned().ok_or_else(|| inside(path, &key, value))
        });
        strings.collect::<Result<Vec<_>, _>>().map(|strings| Some(strings.into()))
    }

    /// Returns an object of strings, which are shared with the object.
    pub fn nested_str_map<P: AsRef<str>>(&self, path: &[P]) -> Result<Option<Map<Str>>, NestedError> {
        let Some(map) = self.nested_map(path)? else { return Ok(None) };
        let strings = map.iter().map(|(key, value)| {
            let text = value.as_shared_str().cloned().ok_or_else(|| inside(path, key, value))?;
            Ok((key.clone(), text))
        });
        strings.collect::<Result<Vec<_>, _>>().map(|strings| Some(strings.into_iter().collect()))
    }

    /// Sets a field and returns its previous value. Missing objects on the path are created.
    ///
    /// # Errors
    ///
    /// A value on the path is not an object. Nothing is changed then.
    pub fn set_nested<P: AsRef<str>>(
        &mut self,
        path: &[P],
        value: impl Into<Json>,
    ) -> Result<Option<Json>, NestedError> {
        if path.is_empty() || path.len() > MAX_DEPTH {
            return Err(NestedError::invalid_path(path));
        }
        // Finds the blocking value and its path.
        self.nested(path)?;
        let mut root = Json::Map(std::mem::take(&mut self.object));
        let outcome = root.set(path, value);
        if let Json::Map(object) = root {
            self.object = object;
        }
        outcome.map_err(|_| NestedError::invalid_path(path))
    }

    /// Removes a field and returns it; `None` if it is absent.
    pub fn remove_nested<P: AsRef<str>>(&mut self, path: &[P]) -> Option<Json> {
        if path.is_empty() {
            return None;
        }
        let mut root = Json::Map(std::mem::take(&mut self.object));
        let removed = root.remove(path);
        if let Json::Map(object) = root {
            self.object = object;
        }
        removed
    }

    fn typed<'a, P: AsRef<str>, T>(
        &'a self,
        path: &[P],
        expected: JsonType,
        read: impl FnOnce(&'a Json) -> Option<T>,
    ) -> Result<Option<T>, NestedError> {
        match self.nested(path)? {
            None | Some(Json::Null) => Ok(None),
            Some(value) => {
                let wrong = || NestedError::wrong_type(path, expected, value.json_type());
                read(value).ok_or_else(wrong).map(Some)
            }
        }
    }
}

/// The error of an entry that is not a string.
fn inside<P: AsRef<str>>(path: &[P], key: &str, value: &Json) -> NestedError {
    let path: Vec<&str> = path.iter().map(AsRef::as_ref).chain([key]).collect();
    NestedError::wrong_type(&path, JsonType::Str, value.json_type())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::unstructured::NestedErrorKind;

    fn object() -> Unstructured {
        let value = json!({
            "spec": {
                "text": "x", "int": 7, "float": 1.5, "yes": true, "nothing": null, "list": [1, "x"],
                "strings": ["a", "b"], "map": {"a": "1", "b": 2}, "labels": {"a": "1"},
            },
        });
        Unstructured::try_from(value).unwrap()
    }

    fn error(path: &str, expected: JsonType, found: JsonType) -> NestedError {
        NestedError { path: path.to_owned(), kind: NestedErrorKind::WrongType { expected, found } }
    }

    #[test]
    fn reads_each_type() {
        let object = object();
        assert_eq!(object.nested_str(&["spec", "text"]), Ok(Some("x")));
        assert_eq!(object.nested_i64(&["spec", "int"]), Ok(Some(7)));
        assert_eq!(object.nested_f64(&["spec", "float"]), Ok(Some(1.5)));
        assert_eq!(object.nested_f64(&["spec", "int"]), Ok(Some(7.0)));
        assert_eq!(object.nested_bool(&["spec", "yes"]), Ok(Some(true)));
        assert_eq!(object.nested_slice(&["spec", "list"]), Ok(Some(&[json!(1), json!("x")][..])));
        assert_eq!(object.nested_map(&["spec", "labels"]).unwrap().unwrap().get("a"), Some(&json!("1")));
        assert_eq!(object.nested_str_list(&["spec", "strings"]), Ok(Some(["a".into(), "b".into()].into())));
        let labels: Map<Str> = [("a", Str::from("1"))].into_iter().collect();
        assert_eq!(object.nested_str_map(&["spec", "labels"]), Ok(Some(labels)));
        assert_eq!(object.nested(&["spec", "nothing"]), Ok(Some(&Json::Null)));
        assert_eq!(object.nested(&[String::from("spec"), String::from("text")]), Ok(Some(&json!("x"))));
    }

    #[test]
    fn absent_and_null_are_none() {
        let object = object();
        for path in [
            &["none"][..],
            &["none", "x"],
            &["spec", "none"],
            &["spec", "nothing"],
            &["spec", "nothing", "x"],
        ] {
            assert_eq!(object.nested_str(path), Ok(None), "{path:?}");
            assert_eq!(object.nested_i64(path), Ok(None));
            assert_eq!(object.nested_bool(path), Ok(None));
            assert_eq!(object.nested_slice(path), Ok(None));
            assert_eq!(object.nested_map(path), Ok(None));
            assert_eq!(object.nested_str_map(path), Ok(None));
            assert_eq!(object.nested_str_list(path), Ok(None));
        }
    }

    #[test]
    fn errors_name_path_and_types() {
        let object = object();
        let wrong = object.nested_str(&["spec", "int"]).unwrap_err();
        assert_eq!(wrong, error(".spec.int", JsonType::Str, JsonType::Int));
        assert_eq!(wrong.to_string(), ".spec.int: expected a string, found an integer");
        let in_the_way = object.nested_i64(&["spec", "text", "deeper", "still"]).unwrap_err();
        assert_eq!(in_the_way, error(".spec.text", JsonType::Map, JsonType::Str));
        assert_eq!(
            object.nested_i64(&["spec", "float"]),
            Err(error(".spec.float", JsonType::Int, JsonType::Float))
        );
        assert_eq!(object.nested_bool(&["spec"]), Err(error(".spec", JsonType::Bool, JsonType::Map)));
        assert_eq!(
            object.nested_map(&["spec", "list"]),
            Err(error(".spec.list", JsonType::Map, JsonType::List))
        );
        assert_eq!(
            object.nested_str_map(&["spec", "map"]),
            Err(error(".spec.map.b", JsonType::Str, JsonType::Int))
        );
        assert_eq!(object.nested_str_list(&["spec", "list"]), {
            Err(error(".spec.list.0", JsonType::Str, JsonType::Int))
        });
        assert_eq!(object.nested::<&str>(&[]).unwrap_err().kind(), NestedErrorKind::InvalidPath);
    }

    #[test]
    fn sets_and_removes() {
        let mut object = object();
        assert_eq!(object.set_nested(&["spec", "int"], 8), Ok(Some(json!(7))));
        assert_eq!(object.set_nested(&["status", "a", "b"], json!([1])), Ok(None));
        assert_eq!(object.set_nested(&["spec", "nothing", "x"], "y"), Ok(None));
        assert_eq!(object.nested_i64(&["spec", "int"]), Ok(Some(8)));
        assert_eq!(object.nested(&["status"]), Ok(Some(&json!({"a": {"b": [1]}}))));
        assert_eq!(object.nested_str(&["spec", "nothing", "x"]), Ok(Some("y")));
        assert_eq!(object.remove_nested(&["status", "a", "b"]), Some(json!([1])));
        assert_eq!(object.remove_nested(&["status", "a", "b"]), None);
        assert_eq!(object.nested(&["status"]), Ok(Some(&json!({"a": {}}))));
        assert_eq!(object.remove_nested::<&str>(&[]), None);
        assert!(object.nested(&["spec", "text"]).is_ok());
    }

    #[test]
    fn a_failed_set_changes_nothing() {
        let mut object = object();
        let before = object.clone();
        let failed = object.set_nested(&["spec", "text", "x"], 1);
        assert_eq!(failed, Err(error(".spec.text", JsonType::Map, JsonType::Str)));
        let failed = object.set_nested(&["spec", "list", "0"], 1);
        assert_eq!(failed, Err(error(".spec.list", JsonType::Map, JsonType::List)));
        let deep = vec!["a"; MAX_DEPTH + 1];
        assert_eq!(object.set_nested(&deep, 1).unwrap_err().kind(), NestedErrorKind::InvalidPath);
        assert_eq!(object.set_nested::<&str>(&[], 1).unwrap_err().kind(), NestedErrorKind::InvalidPath);
        assert_eq!(object, before);
    }
}
