//! How many replicas.

use client_rs_machinery::{GroupVersionKind, Json, Str, Unstructured, json};

/// How many replicas an object has, and shall have: a `Scale` of `autoscaling/v1`, whichever version the server speaks.
///
/// It has the name and `resourceVersion` of the object that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The object, in `autoscaling/v1`; it can be read as the typed one.
    pub object: Unstructured,
}

/// What was to be a scale and is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// It is of a kind that is no scale that is known.
    #[error("{0} is no kind of scale that is known")]
    Kind(GroupVersionKind),
}

const V1: &str = "autoscaling/v1";
/// Those that have the selector as a map, and as text under another name.
const OLD: [&str; 3] = ["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"];

impl Scale {
    /// For an object of this name: so many replicas.
    pub fn new(namespace: &str, name: &str, replicas: i32) -> Self {
        let mut object = Unstructured::new(V1, "Scale", name);
        object.set_namespace(namespace);
        let mut scale = Self { object };
        scale.set_replicas(replicas);
        scale
    }

    /// How many there shall be.
    pub fn replicas(&self) -> i32 {
        self.count("spec")
    }

    /// Says how many there shall be.
    pub fn set_replicas(&mut self, replicas: i32) {
        let mut object = Json::from(&self.object);
        if object.set(&["spec", "replicas"], replicas).is_err() {
            // A spec that is no object says nothing that could be kept.
            let _ = object.set(&["spec"], json!({"replicas": replicas}));
        }
        if let Ok(object) = Unstructured::try_from(object) {
            self.object = object;
        }
    }

    /// How many there are.
    pub fn status_replicas(&self) -> i32 {
        self.count("status")
    }

    /// Which pods are its own, as text; empty if it does not say.
    pub fn selector(&self) -> &str {
        self.part("status", "selector").and_then(Json::as_str).unwrap_or_default()
    }

    /// The version of the object that it is of: an update with it is refused if the object has changed since.
    pub fn resource_version(&self) -> &str {
        self.object.resource_version()
    }

    /// From what a server sent, in any version that is known.
    pub fn from_object(mut object: Unstructured) -> Result<Self, ScaleError> {
        let version = object.api_version().to_owned();
        if object.kind() != "Scale" || (version != V1 && !OLD.contains(&version.as_str())) {
            return Err(ScaleError::Kind(GroupVersionKind::from_api_version(&version, object.kind())));
        }
        if version != V1 {
            object.set_api_version(V1);
            if let Some(Json::Map(mut status)) = object.object.remove("status") {
                let pairs = match status.remove("selector") {
                    Some(Json::Map(pairs)) => {
                        let pair = |(key, value): (&Str, &Json)| {
                            format!("{key}={}", value.as_str().unwrap_or_default())
                        };
                        pairs.iter().map(pair).collect::<Vec<_>>().join(",")
                    }
                    _ => String::new(),
                };
                let text = match status.remove("targetSelector") {
                    Some(Json::Str(text)) if !text.is_empty() => text,
                    _ => pairs.into(),
                };
                if !text.is_empty() {
                    status.insert("selector", Json::Str(text));
                }
                object.object.insert("status", Json::Map(status));
            }
        }
        Ok(Self { object })
    }

    /// In the version that a resource speaks.
    pub fn to_version(&self, kind: &GroupVersionKind) -> Result<Unstructured, ScaleError> {
        let version = kind.api_version();
        if kind.kind != "Scale" || (version != V1 && !OLD.contains(&version.as_str())) {
            return Err(ScaleError::Kind(kind.clone()));
        }
        let mut object = self.object.clone();
        if version == V1 {
            return Ok(object);
        }
        object.set_api_version(version);
        if let Some(Json::Map(mut status)) = object.object.remove("status") {
            if let Some(Json::Str(text)) = status.remove("selector") {
                if let Some(pairs) = equalities(&text) {
                    status.insert("selector", pairs);
                }
                status.insert("targetSelector", Json::Str(text));
            }
            object.object.insert("status", Json::Map(status));
        }
        Ok(object)
    }

    fn part(&self, part: &str, field: &str) -> Option<&Json> {
        self.object.object.get(part)?.get(field)
    }

    fn count(&self, part: &str) -> i32 {
        let count = self.part(part, "replicas").and_then(Json::as_i64).unwrap_or(0);
        i32::try_from(count).unwrap_or(if count < 0 { i32::MIN } else { i32::MAX })
    }
}

/// The map of a selector that has nothing but equalities.
fn equalities(selector: &str) -> Option<Json> {
    let mut pairs = json!({});
    for part in selector.split(',') {
        let (key, value) = part.split_once('=')?;
        let (key, value) = (key.trim(), value.trim_start_matches('=').trim());
        let plain = |text: &str| !text.contains([' ', '!', '(', ')', '=']);
        if key.is_empty() || !plain(key) || !plain(value) {
            return None;
        }
        pairs.set(&[key], value).ok()?;
    }
    Some(pairs)
}
