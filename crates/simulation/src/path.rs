//! The objects that requests name, by their paths.

use std::fmt;

/// An object or a collection in the path of a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObjectPath {
    /// Group and version, such as `/api/v1` or `/apis/apps/v1`.
    pub(crate) api: String,
    pub(crate) plural: String,
    /// Empty for cluster-scoped objects.
    pub(crate) namespace: String,
    /// Empty for a collection.
    pub(crate) name: String,
    pub(crate) subresource: String,
}

impl ObjectPath {
    /// Reads a path. `None` if it names no resource.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let mut parts = path.trim_matches('/').split('/');
        let api = match parts.next()? {
            "api" => format!("/api/{}", parts.next()?),
            "apis" => format!("/apis/{}/{}", parts.next()?, parts.next()?),
            _ => return None,
        };
        let rest: Vec<&str> = parts.collect();
        let (namespace, rest) = match rest.as_slice() {
            ["namespaces", _, "status" | "finalize"] => ("", rest.as_slice()),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
            rest => ("", rest),
        };
        let text = |place: usize| rest.get(place).map(|part| (*part).to_owned()).unwrap_or_default();
        (!text(0).is_empty()).then(|| Self {
            api,
            plural: text(0),
            namespace: namespace.to_owned(),
            name: text(1),
            subresource: text(2),
        })
    }

    /// The path of all objects of the resource, in all namespaces.
    pub(crate) fn everywhere(&self) -> String {
        format!("{}/{}", self.api, self.plural)
    }

    /// The path of the collection.
    pub(crate) fn collection(&self) -> String {
        match self.namespace.as_str() {
            "" => self.everywhere(),
            namespace => format!("{}/namespaces/{namespace}/{}", self.api, self.plural),
        }
    }

    /// The path of the object.
    pub(crate) fn object(&self) -> String {
        format!("{}/{}", self.collection(), self.name)
    }

    /// Another object of the same resource.
    pub(crate) fn with_name(&self, namespace: &str, name: &str) -> Self {
        Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            subresource: String::new(),
            ..self.clone()
        }
    }

    /// Whether the object is bookkeeping of the machinery, which no property looks at: leases, events, reviews.
    pub(crate) fn is_bookkeeping(&self) -> bool {
        matches!(self.plural.as_str(), "leases" | "leasecandidates" | "events" | "customresourcedefinitions")
            || self.plural.ends_with("reviews")
    }
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plural)?;
        match (self.namespace.as_str(), self.name.as_str()) {
            (_, "") => {}
            ("", name) => write!(f, " {name}")?,
            (namespace, name) => write!(f, " {namespace}/{name}")?,
        }
        if !self.subresource.is_empty() {
            write!(f, " ({})", self.subresource)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_objects() {
        for (path, text, everywhere) in [
            ("/api/v1/namespaces/a/pods/b", "pods a/b", "/api/v1/pods"),
            ("/api/v1/namespaces/a", "namespaces a", "/api/v1/namespaces"),
            ("/api/v1/namespaces/a/status", "namespaces a (status)", "/api/v1/namespaces"),
            ("/apis/x.y/v1/namespaces/a/sites/b/status", "sites a/b (status)", "/apis/x.y/v1/sites"),
            ("/apis/x.y/v1/sites/b", "sites b", "/apis/x.y/v1/sites"),
            ("/apis/x.y/v1/sites", "sites", "/apis/x.y/v1/sites"),
        ] {
            let parsed = ObjectPath::parse(path).unwrap();
            assert_eq!((parsed.to_string().as_str(), parsed.everywhere().as_str()), (text, everywhere));
            if parsed.subresource.is_empty() {
                assert_eq!(parsed.object().trim_end_matches('/'), path);
            }
        }
        assert_eq!(ObjectPath::parse("/version"), None);
        assert_eq!(ObjectPath::parse("/apis/apps/v1"), None);
    }
}
