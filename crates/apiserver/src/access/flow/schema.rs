//! Matches requests with flow schemas.

use client_rs_machinery::{Json, Str, Unstructured};

use crate::access::Attributes;
use crate::request::User;

/// A flow schema.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) precedence: i64,
    pub(super) name: Str,
    pub(super) uid: http::HeaderValue,
    pub(super) level: Str,
    rules: Vec<Json>,
}

impl Schema {
    pub(super) fn read(object: &Unstructured) -> Self {
        let spec = object.object.get("spec").cloned().unwrap_or_default();
        Self {
            precedence: spec["matchingPrecedence"].as_i64().unwrap_or(1000),
            name: object.name().into(),
            uid: super::header(object.uid()),
            level: spec["priorityLevelConfiguration"]["name"].as_str().unwrap_or_default().into(),
            rules: spec["rules"].as_list().map(|rules| rules.to_vec()).unwrap_or_default(),
        }
    }

    pub(super) fn matches(&self, user: &User, asked: &Attributes) -> bool {
        self.rules.iter().any(|rule| {
            list(&rule["subjects"]).any(|subject| is_subject(subject, user))
                && match &asked.resource {
                    Some(_) => list(&rule["resourceRules"]).any(|rule| is_resource(rule, asked)),
                    None => list(&rule["nonResourceRules"]).any(|rule| is_path(rule, asked)),
                }
        })
    }
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

/// Whether a list of names contains this name or `*`.
fn has(names: &Json, name: &str) -> bool {
    list(names).filter_map(Json::as_str).any(|own| own == "*" || own == name)
}

fn is_subject(subject: &Json, user: &User) -> bool {
    let name = |kind: &str, field: &str| subject[kind][field].as_str().unwrap_or_default();
    match subject["kind"].as_str() {
        Some("User") => ["*", user.name.as_str()].contains(&name("user", "name")),
        Some("Group") => {
            let group = name("group", "name");
            group == "*" || user.is_in(group)
        }
        Some("ServiceAccount") => {
            let (namespace, account) = (name("serviceAccount", "namespace"), name("serviceAccount", "name"));
            User::as_service_account(&user.name)
                .is_some_and(|(own, name)| own == namespace && (account == "*" || account == name))
        }
        _ => false,
    }
}

fn is_resource(rule: &Json, asked: &Attributes) -> bool {
    let Some(resource) = &asked.resource else { return false };
    let place = if resource.namespace.is_empty() {
        rule["clusterScope"].as_bool() == Some(true)
    } else {
        has(&rule["namespaces"], &resource.namespace)
    };
    place
        && has(&rule["verbs"], &asked.verb)
        && has(&rule["apiGroups"], &resource.group)
        && has(&rule["resources"], &resource.combined())
}

fn is_path(rule: &Json, asked: &Attributes) -> bool {
    let fits = |own: &str| match own.strip_suffix('*') {
        Some(start) => asked.path.starts_with(start),
        None => asked.path == own,
    };
    has(&rule["verbs"], &asked.verb) && list(&rule["nonResourceURLs"]).filter_map(Json::as_str).any(fits)
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
