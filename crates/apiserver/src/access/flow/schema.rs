//! Matches requests with flow schemas.

use client_rs_machinery::{Json, Str, Unstructured};

use crate::access::Attributes;
use crate::request::User;

/// A flow schema, read once: every request is compared with all of them.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) precedence: i64,
    pub(super) name: Str,
    pub(super) uid: http::HeaderValue,
    pub(super) level: Str,
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    subjects: Vec<Subject>,
    resources: Vec<ResourceRule>,
    paths: Vec<PathRule>,
}

#[derive(Debug)]
enum Subject {
    User(Str),
    Group(Str),
    ServiceAccount { namespace: Str, name: Str },
}

#[derive(Debug)]
struct ResourceRule {
    cluster_scope: bool,
    namespaces: Names,
    verbs: Names,
    groups: Names,
    resources: Names,
}

#[derive(Debug)]
struct PathRule {
    verbs: Names,
    paths: Vec<Str>,
}

/// A list of names, or `*`.
#[derive(Debug)]
enum Names {
    All,
    These(Vec<Str>),
}

impl Schema {
    pub(super) fn read(object: &Unstructured) -> Self {
        let spec = object.object.get("spec").cloned().unwrap_or_default();
        Self {
            precedence: spec["matchingPrecedence"].as_i64().unwrap_or(1000),
            name: object.name().into(),
            uid: super::header(object.uid()),
            level: spec["priorityLevelConfiguration"]["name"].as_str().unwrap_or_default().into(),
            rules: list(&spec["rules"]).map(Rule::read).collect(),
        }
    }

    pub(super) fn matches(&self, user: &User, asked: &Attributes) -> bool {
        self.rules.iter().any(|rule| {
            rule.subjects.iter().any(|subject| subject.is(user))
                && match &asked.resource {
                    Some(_) => rule.resources.iter().any(|rule| rule.allows(asked)),
                    None => rule.paths.iter().any(|rule| rule.allows(asked)),
                }
        })
    }
}

impl Rule {
    fn read(rule: &Json) -> Self {
        Self {
            subjects: list(&rule["subjects"]).filter_map(Subject::read).collect(),
            resources: list(&rule["resourceRules"]).map(ResourceRule::read).collect(),
            paths: list(&rule["nonResourceRules"]).map(PathRule::read).collect(),
        }
    }
}

impl Subject {
    /// `None` for an unknown kind, which matches nobody.
    fn read(subject: &Json) -> Option<Self> {
        let name = |kind: &str, field: &str| subject[kind][field].as_str().unwrap_or_default().into();
        Some(match subject["kind"].as_str()? {
            "User" => Self::User(name("user", "name")),
            "Group" => Self::Group(name("group", "name")),
            "ServiceAccount" => Self::ServiceAccount {
                namespace: name("serviceAccount", "namespace"),
                name: name("serviceAccount", "name"),
            },
            _ => return None,
        })
    }

    fn is(&self, user: &User) -> bool {
        match self {
            Self::User(name) => name == "*" || *name == user.name,
            Self::Group(group) => group == "*" || user.is_in(group),
            Self::ServiceAccount { namespace, name } => User::as_service_account(&user.name)
                .is_some_and(|(own, account)| *namespace == own && (name == "*" || *name == account)),
        }
    }
}

impl ResourceRule {
    fn read(rule: &Json) -> Self {
        Self {
            cluster_scope: rule["clusterScope"].as_bool() == Some(true),
            namespaces: Names::read(&rule["namespaces"]),
            verbs: Names::read(&rule["verbs"]),
            groups: Names::read(&rule["apiGroups"]),
            resources: Names::read(&rule["resources"]),
        }
    }

    fn allows(&self, asked: &Attributes) -> bool {
        let Some(resource) = &asked.resource else { return false };
        let place = if resource.namespace.is_empty() {
            self.cluster_scope
        } else {
            self.namespaces.has(&resource.namespace)
        };
        place
            && self.verbs.has(&asked.verb)
            && self.groups.has(&resource.group)
            && (matches!(self.resources, Names::All) || self.resources.has(&resource.combined()))
    }
}

impl PathRule {
    fn read(rule: &Json) -> Self {
        let paths = list(&rule["nonResourceURLs"]).filter_map(Json::as_str).map(Str::from).collect();
        Self { verbs: Names::read(&rule["verbs"]), paths }
    }

    fn allows(&self, asked: &Attributes) -> bool {
        let fits = |own: &Str| match own.strip_suffix('*') {
            Some(start) => asked.path.starts_with(start),
            None => *own == asked.path,
        };
        self.verbs.has(&asked.verb) && self.paths.iter().any(fits)
    }
}

impl Names {
    fn read(names: &Json) -> Self {
        let names: Vec<Str> = list(names).filter_map(Json::as_str).map(Str::from).collect();
        if names.iter().any(|name| name == "*") { Self::All } else { Self::These(names) }
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(names) => names.iter().any(|own| own == name),
        }
    }
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;
    use crate::access::ResourceAttributes;

    #[test]
    fn a_schema_matches_users_and_requests() {
        let object: Unstructured = json!({
            "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": {"name": "a"},
            "spec": {"priorityLevelConfiguration": {"name": "l"}, "rules": [{
                "subjects": [
                    {"kind": "User", "user": {"name": "eve"}}, {"kind": "Group", "group": {"name": "ops"}},
                    {"kind": "ServiceAccount", "serviceAccount": {"namespace": "n", "name": "*"}},
                ],
                "resourceRules": [{"verbs": ["list"], "apiGroups": [""], "resources": ["pods"], "namespaces": ["*"]}],
                "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["/healthz", "/livez/*"]}],
            }]},
        })
        .try_into()
        .unwrap();
        let schema = Schema::read(&object);
        let resource = |verb: &str, namespace: &str| Attributes {
            verb: verb.to_owned(),
            resource: Some(ResourceAttributes {
                resource: "pods".to_owned(),
                namespace: namespace.to_owned(),
                ..ResourceAttributes::default()
            }),
            path: String::new(),
        };
        let path = |path: &str| Attributes { verb: "get".to_owned(), resource: None, path: path.to_owned() };
        let user = |name: &str| User::new(name, ["everyone"]);
        assert!(schema.matches(&user("eve"), &resource("list", "n")));
        assert!(schema.matches(&User::new("x", ["ops"]), &resource("list", "n")));
        assert!(schema.matches(&user("system:serviceaccount:n:any"), &resource("list", "n")));
        assert!(!schema.matches(&user("system:serviceaccount:m:any"), &resource("list", "n")));
        assert!(!schema.matches(&user("eve"), &resource("get", "n")));
        // Does not match at cluster scope.
        assert!(!schema.matches(&user("eve"), &resource("list", "")));
        assert!(
            schema.matches(&user("eve"), &path("/livez/ping"))
                && !schema.matches(&user("eve"), &path("/metrics"))
        );
    }
}
