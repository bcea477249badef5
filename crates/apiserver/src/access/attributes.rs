//! Authorization attributes: the verb, resource and path that a request is checked for.

use http::Method;

use crate::request::{Query, Route};

/// The attributes of a request that authorization decides on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attributes {
    pub(crate) verb: String,
    /// The requested resource; `None` for a path outside of the resource API.
    pub(crate) resource: Option<ResourceAttributes>,
    pub(crate) path: String,
}

/// The resource that a request addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourceAttributes {
    pub(crate) group: String,
    pub(crate) resource: String,
    pub(crate) subresource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Attributes {
    /// The attributes of an HTTP request.
    pub(crate) fn of(method: &Method, path: &str, route: &Route<'_>, query: &Query) -> Self {
        let Route::Objects(target) = route else {
            let verb = method.as_str().to_ascii_lowercase();
            return Self { verb, resource: None, path: path.to_owned() };
        };
        let verb = target.verb(method, query);
        let of_collection = ["list", "watch", "deletecollection"].contains(&verb);
        let name = if of_collection && target.name.is_empty() {
            selected_name(query.get("fieldSelector"))
        } else {
            target.name
        };
        // A `Namespace` object counts as being inside itself, so a role in the namespace can grant rights on it.
        let own = target.group.is_empty() && target.resource == "namespaces";
        Self {
            verb: verb.to_owned(),
            resource: Some(ResourceAttributes {
                group: target.group.to_owned(),
                resource: target.resource.to_owned(),
                subresource: target.subresource.to_owned(),
                namespace: if own { target.name } else { target.namespace }.to_owned(),
                name: name.to_owned(),
            }),
            path: path.to_owned(),
        }
    }

    /// The attributes of a request to impersonate another user.
    pub(crate) fn impersonate(
        group: &str,
        resource: &str,
        subresource: &str,
        namespace: &str,
        name: &str,
    ) -> Self {
        Self {
            verb: "impersonate".to_owned(),
            resource: Some(ResourceAttributes {
                group: group.to_owned(),
                resource: resource.to_owned(),
                subresource: subresource.to_owned(),
                namespace: namespace.to_owned(),
                name: name.to_owned(),
            }),
            path: String::new(),
        }
    }

    /// The attributes in the `spec` of an access review.
    pub(crate) fn of_review(spec: &client_rs_machinery::Json) -> Option<Self> {
        let text =
            |part: &client_rs_machinery::Json, key: &str| part[key].as_str().unwrap_or_default().to_owned();
        if let Some(asked) = spec.get("resourceAttributes") {
            return Some(Self {
                verb: text(asked, "verb"),
                resource: Some(ResourceAttributes {
                    group: text(asked, "group"),
                    resource: text(asked, "resource"),
                    subresource: text(asked, "subresource"),
                    namespace: text(asked, "namespace"),
                    name: text(asked, "name"),
                }),
                path: String::new(),
            });
        }
        let asked = spec.get("nonResourceAttributes")?;
        Some(Self { verb: text(asked, "verb"), resource: None, path: text(asked, "path") })
    }
}

impl ResourceAttributes {
    /// The resource with its subresource, as the rules of a role spell it.
    pub(crate) fn combined(&self) -> String {
        if self.subresource.is_empty() {
            self.resource.clone()
        } else {
            format!("{}/{}", self.resource, self.subresource)
        }
    }
}

/// The name that a field selector requires; empty if it requires none.
fn selected_name(selector: &str) -> &str {
    let requirements = selector.split(',').map(|one| one.split_once("==").or_else(|| one.split_once('=')));
    let mut names = requirements.filter_map(|one| match one {
        Some(("metadata.name", name)) => Some(name),
        _ => None,
    });
    names.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_verb_on_a_resource() {
        let told = |method: Method, uri: &str| {
            let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
            let asked = Attributes::of(&method, path, &Route::of(path), &Query::parse(query));
            match &asked.resource {
                Some(of) => {
                    format!("{} {} {} {} {}", asked.verb, of.group, of.combined(), of.namespace, of.name)
                }
                None => format!("{} {}", asked.verb, asked.path),
            }
        };
        for (method, uri, expected) in [
            (Method::GET, "/api/v1/namespaces/a/pods/b", "get  pods a b"),
            (Method::GET, "/api/v1/namespaces/a/pods", "list  pods a "),
            (Method::GET, "/api/v1/pods?watch=true", "watch  pods  "),
            (Method::GET, "/api/v1/pods?watch=1&fieldSelector=metadata.name%3Dx", "watch  pods  x"),
            (Method::GET, "/api/v1/watch/pods", "watch  pods  "),
            (Method::POST, "/apis/apps/v1/namespaces/a/deployments", "create apps deployments a "),
            (
                Method::PATCH,
                "/apis/apps/v1/namespaces/a/deployments/b/scale",
                "patch apps deployments/scale a b",
            ),
            (Method::DELETE, "/api/v1/namespaces/a/pods", "deletecollection  pods a "),
            (Method::GET, "/api/v1/namespaces/a", "get  namespaces a a"),
            (Method::GET, "/healthz", "get /healthz"),
            (Method::GET, "/apis/apps", "get /apis/apps"),
        ] {
            assert_eq!(told(method, uri), expected, "{uri}");
        }
    }
}
