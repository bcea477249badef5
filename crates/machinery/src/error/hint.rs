//! Advice on an error, if the server's response is specific enough.

use std::fmt;

use super::ApiError;

impl ApiError {
    /// Returns one sentence of advice, if the response is specific enough:
    ///
    /// - a request that RBAC forbids: the rule that would allow it, and its subject;
    /// - a resource that is not served: its definition may be missing, or it may be served in another version;
    /// - a field of an apply that is not in the schema: where the fields are listed;
    /// - credentials that are not accepted: where they come from.
    ///
    /// ```
    /// use client_rs_machinery::{ApiError, GroupResource};
    ///
    /// let message = r#"User "jane" cannot list resource "pods" in API group "" in the namespace "shop""#;
    /// let error = ApiError::forbidden(&GroupResource::new("", "pods"), "", message);
    /// assert!(error.hint().is_some_and(|hint| hint.contains("list, watch") && hint.contains("jane")));
    /// assert_eq!(ApiError::bad_request("malformed").hint(), None);
    /// ```
    pub fn hint(&self) -> Option<String> {
        let message = self.message();
        if self.is_forbidden() {
            return Forbidden::read(message).map(|forbidden| forbidden.to_string());
        }
        if self.is_unauthorized() {
            let text = "the credentials are missing, wrong or expired: see the user of the kubeconfig's context, or the \
                        service account of the pod";
            return Some(text.to_owned());
        }
        if self.is_resource_not_found() {
            let text = "the server does not serve this resource in this version: install its CustomResourceDefinition, or \
                        compare the group and version with `kubectl api-resources`";
            return Some(text.to_owned());
        }
        if message.contains("field not declared in schema") {
            return Some(explain(message));
        }
        None
    }

    /// The server's message, and then the [hint](Self::hint) if there is one.
    pub fn explained(&self) -> impl fmt::Display {
        Explained(self)
    }
}

struct Explained<'a>(&'a ApiError);

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.hint() {
            None => fmt::Display::fmt(self.0, f),
            Some(hint) => write!(f, "{}; {hint}", self.0),
        }
    }
}

/// The parts of the RBAC authorizer's message: `User "u" cannot list resource "pods" in API group "" at the cluster
/// scope`.
struct Forbidden<'a> {
    user: &'a str,
    verb: &'a str,
    resource: &'a str,
    group: &'a str,
    namespace: Option<&'a str>,
}

impl<'a> Forbidden<'a> {
    fn read(message: &'a str) -> Option<Self> {
        let (_, rest) = message.split_once("User \"")?;
        let (user, rest) = rest.split_once("\" cannot ")?;
        let (verb, rest) = rest.split_once(" resource \"")?;
        let (resource, rest) = rest.split_once("\" in API group \"")?;
        let (group, rest) = rest.split_once('"')?;
        let namespace = rest.strip_prefix(" in the namespace \"").and_then(|rest| rest.split('"').next());
        Some(Self { user, verb, resource, group, namespace })
    }
}

impl fmt::Display for Forbidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, verb, resource, group, namespace } = self;
        // A cache needs both verbs: a client that lists to fill one also watches.
        let verbs = if matches!(*verb, "list" | "watch") { "list, watch" } else { verb };
        let role = match namespace {
            Some(namespace) => format!("a Role of the namespace {namespace:?}, or a ClusterRole,"),
            None => "a ClusterRole".to_owned(),
        };
        write!(f, "to allow it, bind {role} with the rule {{apiGroups: [{group:?}], ")?;
        write!(f, "resources: [{resource:?}], verbs: [{verbs}]}} to {user:?}")
    }
}

/// `… (default/web; apps/v1, Kind=Deployment): .spec.replcas: field not declared in schema`
fn explain(message: &str) -> String {
    let kind = message.split_once("Kind=").map(|(_, rest)| rest.split([')', ' ']).next().unwrap_or_default());
    match kind.filter(|kind| !kind.is_empty()) {
        Some(kind) => {
            let kind = kind.to_lowercase();
            format!("check how the field is spelled: `kubectl explain {kind} --recursive` lists all")
        }
        None => "check how the field is spelled: `kubectl explain KIND --recursive` lists all".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorStatus, GroupResource, StatusReason};

    #[test]
    fn a_forbidden_request_names_the_rule_that_is_missing() {
        let pods = GroupResource::new("", "pods");
        let why = r#"User "system:serviceaccount:default:op" cannot list resource "pods" in API group "" at the cluster scope"#;
        let hint = ApiError::forbidden(&pods, "", why).hint();
        let expected = r#"to allow it, bind a ClusterRole with the rule {apiGroups: [""], resources: ["pods"], verbs: [list, watch]} to "system:serviceaccount:default:op""#;
        assert_eq!(hint.as_deref(), Some(expected));
        let why = r#"User "jane" cannot patch resource "deployments/status" in API group "apps" in the namespace "shop": no"#;
        let error = ApiError::forbidden(&GroupResource::new("apps", "deployments"), "web", why);
        let expected = r#"to allow it, bind a Role of the namespace "shop", or a ClusterRole, with the rule {apiGroups: ["apps"], resources: ["deployments/status"], verbs: [patch]} to "jane""#;
        assert_eq!(error.hint().as_deref(), Some(expected));
        assert_eq!(error.explained().to_string(), format!("{error}; {expected}"));
        assert_eq!(ApiError::forbidden(&pods, "web", "exceeded quota").hint(), None);
    }

    #[test]
    fn other_errors_have_advice() {
        let error = |code, reason: &str, message: &str| {
            let status = ErrorStatus {
                code,
                reason: reason.into(),
                message: message.into(),
                ..ErrorStatus::default()
            };
            ApiError::new(status)
        };
        let hint = |error: ApiError| error.hint().unwrap_or_default();
        let unserved = error(
            404,
            "NotFound",
            "the server could not find the requested resource (get shops.example.com)",
        );
        assert!(hint(unserved).contains("CustomResourceDefinition"));
        let typo = "failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replcas: field not declared in schema";
        assert!(hint(error(500, "InternalError", typo)).contains("`kubectl explain deployment --recursive`"));
        assert!(hint(error(401, "Unauthorized", "Unauthorized")).contains("kubeconfig"));
        let absent = ApiError::not_found(&GroupResource::new("", "pods"), "web");
        assert_eq!((absent.hint(), absent.reason()), (None, &StatusReason::NotFound));
        assert_eq!(absent.explained().to_string(), absent.to_string());
    }
}
