//! [`ObjectKey`]: the namespace and name of an object.

use crate::Str;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt, str::FromStr};

/// The namespace and name of an object: the key of caches and work queues.
///
/// The text form is `namespace/name`, or `name` for a cluster-scoped object. A key is two words wide, and a clone
/// copies no text. Parsing checks only the number of slashes; [`validation`](crate::validation) checks names.
///
/// ```
/// use client_rs_machinery::ObjectKey;
///
/// let key = ObjectKey::new("kube-system", "coredns");
/// assert_eq!(key.to_string(), "kube-system/coredns");
/// assert_eq!("kube-system/coredns".parse(), Ok(key));
///
/// let node: ObjectKey = "node-1".parse()?;
/// assert_eq!(node, ObjectKey::cluster("node-1"));
/// assert!(!node.is_namespaced());
///
/// assert!("a/b/c".parse::<ObjectKey>().is_err());
/// # Ok::<(), client_rs_machinery::KeyError>(())
/// ```
///
/// [`Object::key`](crate::Object::key) returns the key of an object.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// The namespace; empty for a cluster-scoped object.
    pub namespace: Str,
    /// The name.
    pub name: Str,
}

/// A text with more than one slash is not a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unexpected key format: {0:?}")]
pub struct KeyError(pub Str);

impl ObjectKey {
    /// An empty key: no namespace, no name.
    pub const EMPTY: Self = Self { namespace: Str::EMPTY, name: Str::EMPTY };

    /// Creates the key of an object in a namespace. An empty namespace means cluster-scoped.
    pub fn new(namespace: impl Into<Str>, name: impl Into<Str>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }

    /// Creates the key of a cluster-scoped object.
    pub fn cluster(name: impl Into<Str>) -> Self {
        Self { namespace: Str::EMPTY, name: name.into() }
    }

    /// Parses the text form.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the text has more than one slash.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        match text.split_once('/') {
            None => Ok(Self::cluster(text)),
            Some((_, name)) if name.contains('/') => Err(KeyError(text.into())),
            Some((namespace, name)) => Ok(Self::new(namespace, name)),
        }
    }

    /// Whether the key has a namespace.
    pub fn is_namespaced(&self) -> bool {
        !self.namespace.is_empty()
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_namespaced() {
            f.write_str(&self.namespace)?;
            f.write_str("/")?;
        }
        f.write_str(&self.name)
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ObjectKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::parse(text)
    }
}

/// The namespace, then the name.
impl<N: Into<Str>, M: Into<Str>> From<(N, M)> for ObjectKey {
    fn from((namespace, name): (N, M)) -> Self {
        Self::new(namespace, name)
    }
}

impl Serialize for ObjectKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ObjectKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parses_as_client_go() {
        for (text, namespace, name) in [
            ("ns/name", "ns", "name"),
            ("name", "", "name"),
            ("/name", "", "name"),
            ("ns/", "ns", ""),
            ("/", "", ""),
            ("", "", ""),
        ] {
            assert_eq!(ObjectKey::parse(text), Ok(ObjectKey::new(namespace, name)), "{text}");
        }
        for text in ["a/b/c", "//", "a//b"] {
            assert_eq!(text.parse::<ObjectKey>(), Err(KeyError(text.into())));
        }
        assert_eq!(ObjectKey::parse("a/b/c").unwrap_err().to_string(), r#"unexpected key format: "a/b/c""#);
    }

    #[test]
    fn prints_as_client_go() {
        assert_eq!(ObjectKey::new("ns", "name").to_string(), "ns/name");
        assert_eq!(ObjectKey::cluster("name").to_string(), "name");
        assert_eq!(format!("{:?}", ObjectKey::from(("ns", "name"))), "ns/name");
        assert_eq!(ObjectKey::EMPTY.to_string(), "");
        assert!(!ObjectKey::cluster("a").is_namespaced() && ObjectKey::new("a", "b").is_namespaced());
    }

    #[test]
    fn json_is_text() {
        let key = ObjectKey::new("ns", "name");
        assert_eq!(serde_json::to_string(&key).unwrap(), r#""ns/name""#);
        assert_eq!(serde_json::from_str::<ObjectKey>(r#""ns/name""#).unwrap(), key);
        assert!(serde_json::from_str::<ObjectKey>(r#""a/b/c""#).is_err());
    }

    #[test]
    fn two_strs_wide() {
        assert_eq!(size_of::<ObjectKey>(), 2 * size_of::<Str>());
    }

    proptest! {
        #[test]
        fn prints_and_parses_back(namespace in "[^/]{0,9}", name in "[^/]{0,9}") {
            let key = ObjectKey::new(namespace, name);
            prop_assert_eq!(key.to_string().parse(), Ok(key));
        }

        #[test]
        fn only_slashes_decide(text in ".*") {
            prop_assert_eq!(ObjectKey::parse(&text).is_ok(), text.matches('/').count() < 2);
        }
    }
}
