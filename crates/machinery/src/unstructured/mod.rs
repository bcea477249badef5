//! Objects of any kind.

mod error;
mod list;
mod metadata;
mod nested;
mod payload;
mod redact;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::apply::Apply;
use crate::schema::Schema;
use crate::wire::{self, DecodeError, Decoding, Item, Message};
use crate::{Json, Map, Str, json};

pub use error::{NestedError, NestedErrorKind, NotAnObject};
pub use list::UnstructuredList;

/// An object of any kind: a JSON object with `apiVersion`, `kind`, `metadata` and the other fields of the kind.
///
/// For programs that learn the kind at run time: generic tools, and custom resources without a Rust type.
///
/// ```
/// use client_rs_machinery::Unstructured;
///
/// let mut widget = Unstructured::new("example.com/v1", "Widget", "left");
/// widget.set_namespace("shop");
/// widget.set_label("app", "web");
/// widget.set_nested(&["spec", "size"], 3)?;
/// assert_eq!(widget.nested_i64(&["spec", "size"])?, Some(3));
/// assert_eq!(widget.nested_str(&["spec", "color"])?, None);
///
/// // A field of another type is an error, not an absent field.
/// let error = widget.nested_str(&["spec", "size"]).unwrap_err();
/// assert_eq!(error.path(), ".spec.size");
/// # Ok::<(), client_rs_machinery::NestedError>(())
/// ```
///
/// A clone is cheap, and a change of one clone does not affect another. Reads borrow. The content is not validated:
/// the accessors of metadata treat a field of another type as absent, and the `nested_…` accessors return an error
/// for it.
///
/// [`to_message`](Self::to_message) and [`from_message`](Self::from_message) convert to and from typed objects;
/// [`Json`] is the type of the values.
///
/// `Debug` leaves out the content of a Secret.
#[derive(Clone, Default, PartialEq)]
pub struct Unstructured {
    /// The object.
    pub object: Map<Json>,
}

/// An object of any kind, under its name in kube-rs.
pub type DynamicObject = Unstructured;

impl Unstructured {
    /// Creates an object of a kind, with only a name.
    pub fn new(api_version: impl Into<Str>, kind: impl Into<Str>, name: impl Into<Str>) -> Self {
        let mut object = Self::default();
        object.set_api_version(api_version);
        object.set_kind(kind);
        object.set_name(name);
        object
    }

    /// Parses an object from JSON.
    pub fn from_json(text: &[u8]) -> Result<Self, DecodeError> {
        Self::from_json_with(text, &mut Decoding::new())
    }

    /// Parses an object from JSON, with options.
    pub fn from_json_with(text: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        let mut reader = wire::json::Reader::new(text);
        if reader.peek() != Some(b'{') {
            // Parse the text nevertheless: malformed JSON and JSON of another type are different errors.
            let other = Json::parse(text)?;
            return Err(no_object(&other));
        }
        let mut value = Json::Null;
        value.read_json(&mut reader, cx)?;
        reader.end()?;
        let mut object = Self::try_from(value).map_err(|NotAnObject(other)| no_object(&other))?;
        if cx.strip_managed_fields {
            object.remove_nested(&["metadata", "managedFields"]);
        }
        Ok(object)
    }

    /// Writes the object as JSON.
    pub fn to_json(&self) -> Vec<u8> {
        let mut writer = wire::json::Writer::new();
        crate::wire::Value::put_json(&self.object, &mut writer);
        writer.into_vec()
    }

    /// Converts a typed object, by way of JSON.
    ///
    /// ```
    /// use client_rs_machinery::{Unstructured, meta::v1::{ObjectMeta, PartialObjectMetadata}};
    ///
    /// let typed = PartialObjectMetadata {
    ///     metadata: ObjectMeta { name: "web".into(), ..ObjectMeta::default() },
    /// };
    /// let object = Unstructured::from_message(&typed)?;
    /// assert_eq!((object.kind(), object.name()), ("PartialObjectMetadata", "web"));
    /// assert_eq!(object.to_message::<PartialObjectMetadata>()?, typed);
    /// # Ok::<(), client_rs_machinery::wire::DecodeError>(())
    /// ```
    pub fn from_message<M: Message>(message: &M) -> Result<Self, DecodeError> {
        Self::from_json(&message.to_json())
    }

    /// Converts to a typed object, by way of JSON. Fields that the type does not have are lost.
    ///
    /// # Errors
    ///
    /// The object has another kind, or a field does not fit the type.
    pub fn to_message<M: Message>(&self) -> Result<M, DecodeError> {
        M::from_json(&self.to_json())
    }
}

fn no_object(value: &Json) -> DecodeError {
    DecodeError::invalid(format!("expected an object, found {}", value.json_type()))
}

impl From<Map<Json>> for Unstructured {
    fn from(object: Map<Json>) -> Self {
        Self { object }
    }
}

impl From<Unstructured> for Json {
    fn from(object: Unstructured) -> Self {
        Self::Map(object.object)
    }
}

impl From<&Unstructured> for Json {
    fn from(object: &Unstructured) -> Self {
        Self::Map(object.object.clone())
    }
}

/// The error holds the value, which is not an object.
impl TryFrom<Json> for Unstructured {
    type Error = NotAnObject;

    fn try_from(value: Json) -> Result<Self, NotAnObject> {
        match value {
            Json::Map(object) => Ok(Self { object }),
            other => Err(NotAnObject(other)),
        }
    }
}

impl Serialize for Unstructured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.object.iter().map(|(key, value)| (key.as_str(), value)))
    }
}

impl<'de> Deserialize<'de> for Unstructured {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Json::deserialize(deserializer)?)
            .map_err(|NotAnObject(other)| serde::de::Error::custom(no_object(&other)))
    }
}

impl fmt::Debug for Unstructured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&redact::redacted(&self.object), f)
    }
}

impl Schema for Unstructured {
    fn schema() -> Json {
        json!({
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
        })
    }
}

impl Apply for Unstructured {
    type Configuration = Json;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::wire::DecodeErrorKind;

    #[test]
    fn json_round_trips_unchanged() {
        let text = br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"a":[1,null,2.5]}}"#;
        let pod = Unstructured::from_json(text).unwrap();
        assert_eq!(pod.to_json(), text);
        assert_eq!(serde_json::from_slice::<Unstructured>(text).unwrap(), pod);
        assert_eq!(serde_json::to_vec(&pod).unwrap(), text);
        assert_eq!(Unstructured::try_from(Json::from(&pod)), Ok(pod));
    }

    #[test]
    fn only_an_object_is_one() {
        for text in ["[]", "1", "null", "\"x\""] {
            let error = Unstructured::from_json(text.as_bytes()).unwrap_err();
            assert!(matches!(error.kind(), DecodeErrorKind::Invalid(_)), "{error}");
            assert!(serde_json::from_str::<Unstructured>(text).is_err());
        }
        for text in ["", "{", "{} {}", "[", "x"] {
            assert!(Unstructured::from_json(text.as_bytes()).is_err(), "{text}");
        }
        assert_eq!(Unstructured::try_from(json!([])), Err(NotAnObject(json!([]))));
        assert_eq!(NotAnObject(json!([])).to_string(), "an object is a JSON object, and this is an array");
    }

    #[test]
    fn managed_fields_can_be_left_out() {
        let text = br#"{"metadata":{"managedFields":[{"manager":"x"}],"name":"n"}}"#;
        let mut cx = Decoding::new();
        assert!(Unstructured::from_json_with(text, &mut cx).unwrap().to_json() == text);
        cx.strip_managed_fields = true;
        let stripped = Unstructured::from_json_with(text, &mut cx).unwrap();
        assert_eq!(stripped.to_json(), br#"{"metadata":{"name":"n"}}"#);
    }

    #[test]
    fn typed_objects_round_trip() {
        let status = crate::meta::v1::Status { message: "x".into(), code: 404, ..Default::default() };
        let object = Unstructured::from_message(&status).unwrap();
        assert_eq!((object.api_version(), object.kind()), ("v1", "Status"));
        assert_eq!(object.nested_i64(&["code"]), Ok(Some(404)));
        assert_eq!(object.to_message::<crate::meta::v1::Status>(), Ok(status));
        let other = Unstructured::new("v1", "Pod", "x").to_message::<crate::meta::v1::Status>();
        assert!(matches!(other.unwrap_err().kind(), DecodeErrorKind::WrongKind { .. }));
    }

    #[test]
    fn a_clone_is_its_own() {
        let original = Unstructured::new("v1", "Pod", "a");
        let mut other = original.clone();
        other.set_name("b");
        assert_eq!((original.name(), other.name()), ("a", "b"));
    }
}
