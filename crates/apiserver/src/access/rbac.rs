//! Role-based access control.

use std::sync::Arc;

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{Json, Unstructured};

use super::attributes::Attributes;
use super::rule::Rule;
use crate::object::label_selector;
use crate::registry::{ListRequest, Registry, Selection, Stored};
use crate::request::{MASTERS, User};

/// The group of roles and bindings.
pub(crate) const GROUP: &str = "rbac.authorization.k8s.io";

/// The result of an authorization check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) allowed: bool,
    /// The binding that allowed it.
    pub(crate) reason: String,
}

/// The roles and bindings of a registry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rbac<'r>(pub(crate) &'r Registry);

impl Rbac<'_> {
    /// Whether a user may do what the attributes describe: because a cluster role binding or a role binding in the
    /// namespace allows it, or because the user is in `system:masters`.
    pub(crate) fn decide(self, user: &User, asked: &Attributes) -> Decision {
        if user.is_in(MASTERS) {
            return Decision { allowed: true, reason: String::new() };
        }
        let namespace = asked.resource.as_ref().map_or("", |of| of.namespace.as_str());
        let mut decision = Decision::default();
        self.visit(user, namespace, |rule, reason| {
            let allowed = rule.allows(asked);
            if allowed {
                decision = Decision { allowed, reason: format!("RBAC: allowed by {}", reason()) };
            }
            !allowed
        });
        decision
    }

    /// All rules of a user in a namespace, including the cluster-wide ones.
    pub(crate) fn rules(self, user: &User, namespace: &str) -> Vec<Rule> {
        let mut rules = Vec::new();
        if user.is_in(MASTERS) {
            rules.extend(Rule::everything());
        }
        self.visit(user, namespace, |rule, _| {
            rules.push(rule);
            true
        });
        rules
    }

    /// The rules of the role that a binding in a namespace refers to.
    pub(crate) fn role_rules(self, reference: &Json, namespace: &str) -> Vec<Rule> {
        let name = reference["name"].as_str().unwrap_or_default();
        match reference["kind"].as_str() {
            Some("ClusterRole") => self.cluster_role(name),
            Some("Role") => {
                self.find("roles", namespace, name).map(|role| own_rules(&role.object)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Calls `each` with the rules of a user until it returns false.
    fn visit(self, user: &User, namespace: &str, mut each: impl FnMut(Rule, &dyn Fn() -> String) -> bool) {
        let scopes = [("clusterrolebindings", ""), ("rolebindings", namespace)];
        for (plural, namespace) in
            scopes.into_iter().filter(|(plural, ns)| *plural != "rolebindings" || !ns.is_empty())
        {
            for binding in self.list(plural, namespace) {
                let object = &binding.object;
                let subjects = object.object.get("subjects").and_then(Json::as_list).into_iter().flatten();
                let Some(subject) = subjects.into_iter().find(|subject| is_subject(subject, user, namespace))
                else {
                    continue;
                };
                let empty = Json::Null;
                let role = object.object.get("roleRef").unwrap_or(&empty);
                let reason = || told(object, role, subject, namespace);
                for rule in self.role_rules(role, namespace) {
                    if !each(rule, &reason) {
                        return;
                    }
                }
            }
        }
    }

    fn cluster_role(self, name: &str) -> Vec<Rule> {
        let Some(first) = &self.find("clusterroles", "", name) else { return Vec::new() };
        if first.object.object.get("aggregationRule").is_none_or(Json::is_null) {
            return own_rules(&first.object);
        }
        let all = self.list("clusterroles", "");
        // An aggregated role may select other aggregated roles. Each role is visited once, so cycles end.
        let (mut rules, mut seen, mut open) = (Vec::new(), vec![name.to_owned()], vec![first]);
        while let Some(role) = open.pop() {
            let selectors =
                role.object.nested_slice(&["aggregationRule", "clusterRoleSelectors"]).ok().flatten();
            rules.extend(own_rules(&role.object));
            let selectors: Vec<Selector> = selectors.into_iter().flatten().filter_map(selector).collect();
            for part in &all {
                let labels = labels::from_fn(|key| part.object.label(key));
                let selected = selectors.iter().any(|selector| selector.matches(&labels));
                if selected && !seen.iter().any(|seen| seen == part.object.name()) {
                    seen.push(part.object.name().to_owned());
                    open.push(part);
                }
            }
        }
        rules
    }

    fn find(self, plural: &str, namespace: &str, name: &str) -> Option<Arc<Stored>> {
        let served = self.0.catalog().find(GROUP, "v1", plural)?;
        self.0.get(&served, namespace, name).ok().map(|found| found.stored)
    }

    fn list(self, plural: &str, namespace: &str) -> Vec<Arc<Stored>> {
        let Some(served) = self.0.catalog().find(GROUP, "v1", plural) else { return Vec::new() };
        let everything = Selection::default();
        self.0
            .list(&served, &ListRequest::all(namespace, &everything))
            .map(|list| list.items)
            .unwrap_or_default()
    }
}

/// The rules of a Role or `ClusterRole` object.
pub(crate) fn own_rules(role: &Unstructured) -> Vec<Rule> {
    let rules = role.object.get("rules").and_then(Json::as_list);
    rules.into_iter().flatten().map(Rule::parse).collect()
}

fn selector(value: &Json) -> Option<Selector> {
    label_selector(value).ok()
}

fn is_subject(subject: &Json, user: &User, namespace: &str) -> bool {
    let name = subject["name"].as_str().unwrap_or_default();
    match subject["kind"].as_str() {
        Some("User") => user.name == name,
        Some("Group") => user.is_in(name),
        Some("ServiceAccount") => {
            // A subject without a namespace is in the namespace of its binding.
            let own = subject["namespace"].as_str().filter(|own| !own.is_empty()).unwrap_or(namespace);
            !own.is_empty() && User::as_service_account(&user.name) == Some((own, name))
        }
        _ => false,
    }
}

fn told(binding: &Unstructured, role: &Json, subject: &Json, namespace: &str) -> String {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let binding = if namespace.is_empty() {
        format!("ClusterRoleBinding {:?}", binding.name())
    } else {
        format!("RoleBinding \"{}/{namespace}\"", binding.name())
    };
    let (kind, name) = (text(&subject["kind"]), text(&subject["name"]));
    let subject = match subject["namespace"].as_str() {
        Some(own) if kind == "ServiceAccount" => format!("{kind} \"{name}/{own}\""),
        _ => format!("{kind} {name:?}"),
    };
    format!("{binding} of {} {:?} to {subject}", text(&role["kind"]), text(&role["name"]))
}
