//! Parses request paths.

use http::Method;

use super::Query;

/// The parsed path of a request. Parsing follows the real server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route<'p> {
    /// `/api`
    CoreVersions,
    /// `/apis`
    Groups,
    /// `/apis/apps`
    Group(&'p str),
    /// `/api/v1`, `/apis/apps/v1`
    Resources { group: &'p str, version: &'p str },
    /// Objects of a resource.
    Objects(Target<'p>),
    /// Anything else.
    Other,
}

/// The target of a request: objects of a resource, or one of them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Target<'p> {
    pub(crate) group: &'p str,
    pub(crate) version: &'p str,
    pub(crate) resource: &'p str,
    /// Empty for all namespaces, and for cluster-scoped resources.
    pub(crate) namespace: &'p str,
    /// Empty for the collection.
    pub(crate) name: &'p str,
    /// The subresource, such as `status`; empty for the object itself.
    pub(crate) subresource: &'p str,
    /// Whether it is the deprecated form of a watch: `/api/v1/watch/pods`.
    pub(crate) watch: bool,
}

impl Target<'_> {
    /// The verb of a request for authorization; empty for an unsupported method.
    pub(crate) fn verb(&self, method: &Method, query: &Query) -> &'static str {
        let single = !self.name.is_empty();
        match *method {
            Method::GET | Method::HEAD if self.watch || query.flag("watch").unwrap_or(false) => "watch",
            Method::GET | Method::HEAD if single => "get",
            Method::GET | Method::HEAD => "list",
            Method::POST => "create",
            Method::PUT => "update",
            Method::PATCH => "patch",
            Method::DELETE if single => "delete",
            Method::DELETE => "deletecollection",
            _ => "",
        }
    }
}

impl<'p> Route<'p> {
    /// Parses a path. A path with an empty segment is [`Other`](Self::Other).
    pub(crate) fn of(path: &'p str) -> Self {
        let trimmed = path.strip_prefix('/').unwrap_or(path);
        let trimmed = trimmed.strip_suffix('/').unwrap_or(trimmed);
        let segments: Vec<&str> = trimmed.split('/').collect();
        if segments.iter().any(|segment| segment.is_empty()) {
            return Self::Other;
        }
        match segments.as_slice() {
            ["api"] => Self::CoreVersions,
            ["apis"] => Self::Groups,
            ["apis", group] => Self::Group(group),
            ["api", version] => Self::Resources { group: "", version },
            ["apis", group, version] => Self::Resources { group, version },
            ["api", version, rest @ ..] => objects("", version, rest),
            ["apis", group, version, rest @ ..] => objects(group, version, rest),
            _ => Self::Other,
        }
    }
}

fn objects<'p>(group: &'p str, version: &'p str, rest: &[&'p str]) -> Route<'p> {
    let (watch, rest) = match rest {
        ["watch", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let target = Target { group, version, watch, ..Target::default() };
    Route::Objects(match rest {
        ["namespaces"] => Target { resource: "namespaces", ..target },
        ["namespaces", name] => Target { resource: "namespaces", name, ..target },
        // The subresources of a namespace. Everything else below it is in the namespace.
        ["namespaces", name, sub @ ("status" | "finalize")] => {
            Target { resource: "namespaces", name, subresource: sub, ..target }
        }
        ["namespaces", namespace, resource] => Target { resource, namespace, ..target },
        ["namespaces", namespace, resource, name] => Target { resource, namespace, name, ..target },
        ["namespaces", namespace, resource, name, subresource, ..] => {
            Target { resource, namespace, name, subresource, ..target }
        }
        [resource] => Target { resource, ..target },
        [resource, name] => Target { resource, name, ..target },
        [resource, name, subresource, ..] => Target { resource, name, subresource, ..target },
        [] => return Route::Other,
    })
}

/// Decodes a path. Bytes that are not UTF-8 are replaced, so that they match no name.
pub(crate) fn percent_decoded(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_parsed() {
        let target = |path| match Route::of(path) {
            Route::Objects(target) => [
                target.group,
                target.version,
                target.namespace,
                target.resource,
                target.name,
                target.subresource,
            ]
            .join("|"),
            other => format!("{other:?}"),
        };
        for (path, expected) in [
            ("/api", "CoreVersions"),
            ("/apis/", "Groups"),
            ("/apis/apps", "Group(\"apps\")"),
            ("/api/v1", "Resources { group: \"\", version: \"v1\" }"),
            ("/apis/apps/v1", "Resources { group: \"apps\", version: \"v1\" }"),
            ("/api/v1/pods", "|v1||pods||"),
            ("/api/v1/namespaces", "|v1||namespaces||"),
            ("/api/v1/namespaces/a", "|v1||namespaces|a|"),
            ("/api/v1/namespaces/a/finalize", "|v1||namespaces|a|finalize"),
            ("/api/v1/namespaces/a/pods", "|v1|a|pods||"),
            ("/api/v1/namespaces/a/pods/b/status", "|v1|a|pods|b|status"),
            ("/api/v1/namespaces/a/pods/b/proxy/x/y", "|v1|a|pods|b|proxy"),
            ("/apis/apps/v1/namespaces/a/deployments/b", "apps|v1|a|deployments|b|"),
            ("/apis/rbac/v1/clusterroles/b", "rbac|v1||clusterroles|b|"),
            ("/", "Other"),
            ("/api/v1//pods", "Other"),
            ("/healthz", "Other"),
        ] {
            assert_eq!(target(path), expected, "{path}");
        }
        assert!(matches!(Route::of("/api/v1/watch/pods"), Route::Objects(target) if target.watch));
    }
}
