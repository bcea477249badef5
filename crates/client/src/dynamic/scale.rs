//! The scale of an object.

use client_rs_machinery::{GroupVersionKind, Json, Str, Unstructured, json};

/// The current and the desired number of replicas of an object: a `Scale` of `autoscaling/v1`, converted from any version that the
/// server supports.
///
/// It has the name and the `resourceVersion` of the scaled object. [`ScaleClient`](crate::ScaleClient) reads and writes it.
///
/// ```
/// use client_rs_client::dynamic::Scale;
///
/// let mut scale = Scale::new("shop", "web", 2);
/// scale.set_replicas(5);
/// assert_eq!((scale.replicas(), scale.status_replicas()), (5, 0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The object, in `autoscaling/v1`. Its `to_message` converts it to the typed `Scale`.
    pub object: Unstructured,
}

/// The reason why an object is not a scale.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// The kind is not a known version of `Scale`.
    #[error("{0} is not a known version of Scale")]
    Kind(GroupVersionKind),
}

const V1: &str = "autoscaling/v1";
/// The versions with the selector as a map, and as text in another field.
const OLD: [&str; 3] = ["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"];

impl Scale {
    /// Returns a scale for the object with this name.
    pub fn new(namespace: &str, name: &str, replicas: i32) -> Self {
        let mut object = Unstructured::new(V1, "Scale", name);
        object.set_namespace(namespace);
        let mut scale = Self { object };
        scale.set_replicas(replicas);
        scale
    }

    /// The desired number of replicas.
    pub fn replicas(&self) -> i32 {
        self.count("spec")
    }

    /// Sets the desired number of replicas.
    pub fn set_replicas(&mut self, replicas: i32) {
        let mut object = Json::from(&self.object);
        if object.set(&["spec", "replicas"], replicas).is_err() {
            // A spec that is not an object is replaced.
            let _ = object.set(&["spec"], json!({"replicas": replicas}));
        }
        if let Ok(object) = Unstructured::try_from(object) {
            self.object = object;
        }
    }

    /// The current number of replicas.
    pub fn status_replicas(&self) -> i32 {
        self.count("status")
    }

    /// The label selector of the pods, as text. Empty if the server does not report it.
    pub fn selector(&self) -> &str {
        self.part("status", "selector").and_then(Json::as_str).unwrap_or_default()
    }

    /// The `resourceVersion` of the scaled object. An update with it fails if the object has changed.
    pub fn resource_version(&self) -> &str {
        self.object.resource_version()
    }

    /// Converts an object from the server, in any known version.
    ///
    /// ```
    /// use client_rs_client::dynamic::Scale;
    /// use client_rs_machinery::Unstructured;
    ///
    /// let sent = br#"{"apiVersion": "extensions/v1beta1", "kind": "Scale", "spec": {"replicas": 3},
    ///     "status": {"replicas": 2, "selector": {"app": "web"}}}"#;
    /// let scale = Scale::from_object(Unstructured::from_json(sent)?).unwrap();
    /// assert_eq!((scale.replicas(), scale.status_replicas(), scale.selector()), (3, 2, "app=web"));
    /// assert_eq!(scale.object.api_version(), "autoscaling/v1");
    /// # Ok::<(), client_rs_machinery::wire::DecodeError>(())
    /// ```
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

    /// Converts the scale to the version that a resource uses.
    ///
    /// ```
    /// use client_rs_client::dynamic::{Scale, ScaleError};
    /// use client_rs_machinery::GroupVersionKind;
    ///
    /// let scale = Scale::new("shop", "web", 2);
    /// let old = scale.to_version(&GroupVersionKind::new("apps", "v1beta1", "Scale")).unwrap();
    /// assert_eq!(old.api_version(), "apps/v1beta1");
    /// let unknown = GroupVersionKind::new("example.com", "v1", "Scale");
    /// assert_eq!(scale.to_version(&unknown), Err(ScaleError::Kind(unknown)));
    /// ```
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

/// The map of a selector that consists of equalities only.
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
