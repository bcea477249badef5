//! Lists of objects of any kind.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{NestedError, Unstructured};
use crate::wire::{DecodeError, Decoding};
use crate::{Json, JsonType, Map, Str};

/// A list of objects of any kind: the items, and the list's own fields.
///
/// ```
/// use client_rs_machinery::UnstructuredList;
///
/// let text = br#"{"apiVersion": "v1", "kind": "PodList", "metadata": {"resourceVersion": "42"},
///                 "items": [{"metadata": {"name": "web-0"}}]}"#;
/// let list = UnstructuredList::from_json(text)?;
/// assert_eq!(list.resource_version(), "42");
/// // The server leaves out the kind of the items; the list supplies it.
/// assert_eq!((list.items[0].kind(), list.items[0].name()), ("Pod", "web-0"));
/// # Ok::<(), client_rs_machinery::wire::DecodeError>(())
/// ```
///
/// `Debug` leaves out the content of Secrets in it.
#[derive(Clone, Default, PartialEq)]
pub struct UnstructuredList {
    /// The list's own fields: `apiVersion`, `kind`, `metadata`; not `items`.
    pub object: Map<Json>,
    /// The items.
    pub items: Vec<Unstructured>,
}

impl Unstructured {
    /// Whether it is a list: it has an array `items`.
    pub fn is_list(&self) -> bool {
        self.object.get("items").is_some_and(|items| items.as_list().is_some())
    }

    /// Runs `each` for each item of a list, in order, until one fails.
    ///
    /// # Errors
    ///
    /// The error of `each`; or a [`NestedError`] if the object is not a list, or an item is not an object. Earlier
    /// items have been processed by then.
    pub fn each_list_item<E: From<NestedError>>(
        &self,
        mut each: impl FnMut(Unstructured) -> Result<(), E>,
    ) -> Result<(), E> {
        let items = self.object.get("items").unwrap_or(&Json::Null);
        let list = items.as_list().ok_or_else(|| wrong_type(&["items"], JsonType::List, items))?;
        for (at, item) in list.iter().enumerate() {
            each(list_item(at, item)?)?;
        }
        Ok(())
    }
}

impl UnstructuredList {
    /// Parses a list from JSON.
    pub fn from_json(text: &[u8]) -> Result<Self, DecodeError> {
        Self::from_json_with(text, &mut Decoding::new())
    }

    /// Parses a list from JSON, with options.
    pub fn from_json_with(text: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        let object = Unstructured::from_json_with(text, cx)?;
        let mut list = Self::try_from(object).map_err(|error| DecodeError::invalid(error.to_string()))?;
        if cx.strip_managed_fields {
            for item in &mut list.items {
                item.remove_nested(&["metadata", "managedFields"]);
            }
        }
        Ok(list)
    }

    /// Writes the list as JSON.
    pub fn to_json(&self) -> Vec<u8> {
        Json::from(self).to_vec()
    }

    /// `apiVersion`, such as `v1`.
    pub fn api_version(&self) -> &str {
        self.text(&["apiVersion"])
    }

    /// `kind`, such as `PodList`.
    pub fn kind(&self) -> &str {
        self.text(&["kind"])
    }

    /// `metadata.resourceVersion`: where a watch continues from.
    pub fn resource_version(&self) -> &str {
        self.text(&["metadata", "resourceVersion"])
    }

    /// `metadata.continue`: the token to request the next page with; empty on the last page.
    pub fn continue_token(&self) -> &str {
        self.text(&["metadata", "continue"])
    }

    /// `metadata.remainingItemCount`: how many items follow on later pages, if the server sets it.
    pub fn remaining_item_count(&self) -> Option<i64> {
        self.object.get("metadata")?.get("remainingItemCount")?.as_i64()
    }

    fn text(&self, path: &[&str]) -> &str {
        let value = self.object.get(path[0]);
        path[1..].iter().fold(value, |value, key| value?.get(*key)).and_then(Json::as_str).unwrap_or_default()
    }
}

/// Takes the items out of an object that is a list.
///
/// Items without `apiVersion` and `kind` get those that the list's kind implies: the API server leaves them out of
/// the items of a `PodList`.
impl TryFrom<Unstructured> for UnstructuredList {
    type Error = NestedError;

    fn try_from(list: Unstructured) -> Result<Self, NestedError> {
        let mut items: Vec<Unstructured> = Vec::new();
        if !matches!(list.object.get("items"), None | Some(Json::Null)) {
            list.each_list_item(|item| {
                items.push(item);
                Ok::<(), NestedError>(())
            })?;
        }
        let mut object = list.object;
        object.remove("items");
        Ok(Self { object, items }.with_item_kinds())
    }
}

impl UnstructuredList {
    fn with_item_kinds(mut self) -> Self {
        let api_version = Str::from(self.api_version());
        let kind = Str::from(self.kind().strip_suffix("List").unwrap_or_default());
        if kind.is_empty() {
            // A plain `List` may contain any kinds, which its items name.
            return self;
        }
        for item in
            self.items.iter_mut().filter(|item| item.kind().is_empty() && item.api_version().is_empty())
        {
            item.set_api_version(api_version.clone());
            item.set_kind(kind.clone());
        }
        self
    }
}

impl From<&UnstructuredList> for Json {
    fn from(list: &UnstructuredList) -> Self {
        let mut object = list.object.clone();
        object.insert("items", list.items.iter().collect());
        Self::Map(object)
    }
}

impl Serialize for UnstructuredList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for UnstructuredList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Unstructured::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for UnstructuredList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Redacted as a whole, so that the list's kind counts for items without one.
        match Json::from(self) {
            Json::Map(object) => fmt::Debug::fmt(&super::redact::redacted(&object), f),
            other => fmt::Debug::fmt(&other.json_type(), f),
        }
    }
}

fn list_item(at: usize, item: &Json) -> Result<Unstructured, NestedError> {
    let object = item.as_map().ok_or_else(|| wrong_type(&["items", &at.to_string()], JsonType::Map, item))?;
    Ok(Unstructured { object: object.clone() })
}

fn wrong_type(path: &[&str], expected: JsonType, found: &Json) -> NestedError {
    NestedError::wrong_type(path, expected, found.json_type())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn object(value: Json) -> Unstructured {
        Unstructured::try_from(value).unwrap()
    }

    #[test]
    fn an_object_with_items_is_a_list() {
        assert!(object(json!({"items": []})).is_list());
        assert!(!object(json!({})).is_list());
        assert!(!object(json!({"items": null})).is_list());
        assert!(!object(json!({"items": {}})).is_list());
    }

    #[derive(Debug, PartialEq)]
    enum Stop {
        Here,
        Field(NestedError),
    }
    impl From<NestedError> for Stop {
        fn from(error: NestedError) -> Self {
            Self::Field(error)
        }
    }

    #[test]
    fn goes_through_the_items_until_one_fails() {
        let list = object(json!({"items": [{"a": 1}, {"a": 2}, 3, {"a": 4}]}));
        let mut seen = Vec::new();
        let result = list.each_list_item(|item| {
            seen.push(item.nested_i64(&["a"])?);
            Ok::<(), NestedError>(())
        });
        assert_eq!(result.unwrap_err().to_string(), ".items.2: expected an object, found an integer");
        assert_eq!(seen, [Some(1), Some(2)]);

        let mut count = 0;
        let result = list.each_list_item(|_| {
            count += 1;
            if count == 2 { Err(Stop::Here) } else { Ok(()) }
        });
        assert_eq!((result, count), (Err(Stop::Here), 2));
        let none = object(json!({})).each_list_item(|_| Ok::<(), Stop>(()));
        assert!(matches!(none, Err(Stop::Field(error)) if error.path() == ".items"));
    }

    #[test]
    fn reads_and_writes_lists() {
        let text = br#"{"apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"kind":"Other","metadata":{}}],"kind":"PodList","metadata":{"continue":"c","remainingItemCount":5,"resourceVersion":"7"}}"#;
        let list = UnstructuredList::from_json(text).unwrap();
        assert_eq!((list.api_version(), list.kind(), list.resource_version()), ("v1", "PodList", "7"));
        assert_eq!((list.continue_token(), list.remaining_item_count()), ("c", Some(5)));
        assert!(!list.object.contains_key("items"));
        assert_eq!(
            (list.items[0].api_version(), list.items[0].kind(), list.items[0].name()),
            ("v1", "Pod", "a")
        );
        assert_eq!((list.items[1].api_version(), list.items[1].kind()), ("", "Other"));
        assert_eq!(UnstructuredList::from_json(&list.to_json()).unwrap(), list);
        assert_eq!(serde_json::from_slice::<UnstructuredList>(text).unwrap(), list);
        assert_eq!(serde_json::to_vec(&list).unwrap(), list.to_json());
    }

    #[test]
    fn a_plain_list_tells_no_kind() {
        let list = UnstructuredList::from_json(br#"{"kind":"List","apiVersion":"v1","items":[{}]}"#).unwrap();
        assert_eq!(list.items[0], Unstructured::default());
        assert_eq!(UnstructuredList::from_json(br#"{"kind":"PodList","items":null}"#).unwrap().items, []);
        assert_eq!(UnstructuredList::from_json(br#"{"kind":"PodList"}"#).unwrap().items, []);
        assert!(UnstructuredList::from_json(br#"{"items":{}}"#).is_err());
        assert!(UnstructuredList::from_json(br#"{"items":[1]}"#).is_err());
        assert!(UnstructuredList::from_json(b"[]").is_err());
    }

    #[test]
    fn managed_fields_can_be_left_out() {
        let text = br#"{"items":[{"metadata":{"managedFields":[],"name":"a"}}]}"#;
        let mut cx = Decoding::new();
        cx.strip_managed_fields = true;
        let list = UnstructuredList::from_json_with(text, &mut cx).unwrap();
        assert_eq!(list.to_json(), br#"{"items":[{"metadata":{"name":"a"}}]}"#);
    }
}
