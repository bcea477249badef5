//! The requests that a webhook, a policy or a binding is for.

use std::sync::Arc;

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{ApiError, Json, Str};

use super::session::Session;
use crate::object::{Info, label_selector};
use crate::registry::{Operation, Served, Subject};

/// The requests that a webhook, a policy or a binding is for.
#[derive(Debug)]
pub(super) struct Criteria {
    rules: Vec<Rule>,
    excluded: Vec<Rule>,
    /// Whether it is for all requests if it has no rules.
    open: bool,
    /// Whether it is also for requests in other versions than its rules name.
    equivalent: bool,
    namespaces: Selector,
    objects: Selector,
}

/// A request that matches.
#[derive(Clone, Debug, Default)]
pub(super) struct Matched {
    /// The resource in the version of the rule, if that is not the request's.
    pub(super) equivalent: Option<Arc<Served>>,
}

/// A rule: operations on resources.
#[derive(Debug)]
struct Rule {
    groups: Vec<String>,
    versions: Vec<String>,
    resources: Vec<String>,
    operations: Vec<String>,
    scope: Str,
    /// The names of objects; empty for all.
    names: Vec<String>,
}

impl Criteria {
    /// The requests of a webhook.
    pub(super) fn of_webhook(webhook: &Json) -> Self {
        Self { rules: rules(&webhook["rules"]), open: false, ..Self::of_resources(webhook) }
    }

    /// The requests of a policy's constraints, or of a binding's resources.
    pub(super) fn of_resources(resources: &Json) -> Self {
        Self {
            rules: rules(&resources["resourceRules"]),
            excluded: rules(&resources["excludeResourceRules"]),
            open: true,
            equivalent: resources["matchPolicy"].as_str() != Some("Exact"),
            namespaces: selector(&resources["namespaceSelector"]),
            objects: selector(&resources["objectSelector"]),
        }
    }
}

impl Rule {
    fn read(rule: &Json) -> Self {
        Self {
            groups: texts(&rule["apiGroups"]),
            versions: texts(&rule["apiVersions"]),
            resources: texts(&rule["resources"]),
            operations: texts(&rule["operations"]),
            scope: rule["scope"].as_shared_str().cloned().unwrap_or_else(|| "*".into()),
            names: texts(&rule["resourceNames"]),
        }
    }

    fn is_for(&self, resource: &Info, subresource: &str, operation: Operation) -> bool {
        let among = |all: &[String], one: &str| all.iter().any(|known| known == "*" || known == one);
        let in_scope = match self.scope.as_str() {
            "*" => true,
            "Namespaced" => resource.namespaced,
            "Cluster" => !resource.namespaced,
            _ => false,
        };
        let named = |name: &String| {
            let (of, sub) = name.split_once('/').unwrap_or((name, ""));
            (of == "*" || of == resource.plural.as_str()) && (sub == "*" || sub == subresource)
        };
        in_scope
            && among(&self.operations, operation.as_str())
            && among(&self.groups, &resource.group)
            && among(&self.versions, &resource.version)
            && self.resources.iter().any(named)
    }

    /// Whether it is for objects of this name.
    fn is_named(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|known| known == name)
    }
}

impl Session {
    /// Whether a request matches, and in which version of its resource.
    pub(super) fn matched(
        &self,
        criteria: &Criteria,
        subject: &Subject<'_>,
        object: Option<&Json>,
        old: Option<&Json>,
    ) -> Result<Option<Matched>, ApiError> {
        let in_namespace = self.in_namespace(&criteria.namespaces, subject, object);
        if matches!(in_namespace, Ok(false)) {
            return Ok(None);
        }
        let labelled =
            |object: Option<&Json>| object.is_some_and(|object| is_labelled(&criteria.objects, object));
        if !criteria.objects.is_everything() && !labelled(object) && !labelled(old) {
            return Ok(None);
        }
        let name = self.name_of(subject, object.or(old));
        if self.by_rules(&criteria.excluded, criteria.equivalent, subject, &name).is_some() {
            return Ok(None);
        }
        let matched = if criteria.open && criteria.rules.is_empty() {
            Some(Matched::default())
        } else {
            self.by_rules(&criteria.rules, criteria.equivalent, subject, &name)
        };
        // An error about the namespace matters only if all else matches.
        if matched.is_some() {
            in_namespace?;
        }
        Ok(matched)
    }

    /// Whether one of the rules matches: in the version of the request, or in another.
    fn by_rules(
        &self,
        rules: &[Rule],
        equivalent: bool,
        subject: &Subject<'_>,
        name: &str,
    ) -> Option<Matched> {
        let (served, sub) = (subject.served, self.requester.subresource.as_str());
        let is_for = |info: &Info| {
            rules.iter().any(|rule| rule.is_for(info, sub, subject.operation) && rule.is_named(name))
        };
        if is_for(&served.info) {
            return Some(Matched::default());
        }
        if !equivalent || rules.is_empty() {
            return None;
        }
        let catalog = self.registry.catalog();
        let other = catalog.all().iter().find(|other| {
            other.table.is_some()
                && other.table == served.table
                && other.info != served.info
                && (sub.is_empty() || other.has(sub))
                && is_for(&other.info)
        });
        other.map(|other| Matched { equivalent: Some(Arc::clone(other)) })
    }

    /// Whether a selector matches the namespace of the request.
    fn in_namespace(
        &self,
        selector: &Selector,
        subject: &Subject<'_>,
        object: Option<&Json>,
    ) -> Result<bool, ApiError> {
        let is_namespace = subject.served.rules.is_namespace;
        if selector.is_everything() || (subject.namespace.is_empty() && !is_namespace) {
            return Ok(true);
        }
        let writes = subject.operation != Operation::Delete && self.requester.subresource.is_empty();
        if let (true, true, Some(object)) = (is_namespace, writes, object) {
            return Ok(is_labelled(selector, object));
        }
        let Some(namespaces) = self.registry.catalog().find("", "v1", "namespaces") else { return Ok(true) };
        let found = self.registry.get(&namespaces, "", subject.namespace)?;
        Ok(selector.matches(&labels::from_fn(|key| found.stored.object.label(key))))
    }

    /// The name of the object of a request; empty if it has none yet.
    pub(super) fn name_of(&self, subject: &Subject<'_>, object: Option<&Json>) -> String {
        let own = || object.and_then(|object| object["metadata"]["name"].as_str()).unwrap_or_default();
        match self.requester.name.as_str() {
            // A delete of a collection has no name, not even in the review of each object.
            "" if subject.operation != Operation::Delete => own().to_owned(),
            name => name.to_owned(),
        }
    }
}

fn is_labelled(selector: &Selector, object: &Json) -> bool {
    let labels = &object["metadata"]["labels"];
    selector.matches(&labels::from_fn(|key| labels[key].as_str()))
}

fn rules(list: &Json) -> Vec<Rule> {
    list.as_list().into_iter().flatten().map(Rule::read).collect()
}

pub(super) fn texts(list: &Json) -> Vec<String> {
    list.as_list().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Parses a selector. Malformed ones were refused when the configuration was written.
pub(super) fn selector(value: &Json) -> Selector {
    label_selector(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn info(group: &str, version: &str, plural: &str, namespaced: bool) -> Info {
        Info {
            group: group.into(),
            version: version.into(),
            plural: plural.into(),
            namespaced,
            ..Info::default()
        }
    }

    #[test]
    fn rules_match_their_resources() {
        let pods = info("", "v1", "pods", true);
        let nodes = info("", "v1", "nodes", false);
        let rule = |resources: Json, operations: Json, scope: &str| {
            Rule::read(&json!({
                "apiGroups": ["", "apps"], "apiVersions": ["v1"], "resources": resources, "operations": operations,
                "scope": scope,
            }))
        };
        let all = rule(json!(["*"]), json!(["*"]), "*");
        assert!(all.is_for(&pods, "", Operation::Create) && all.is_for(&nodes, "", Operation::Delete));
        assert!(!all.is_for(&pods, "status", Operation::Update), "a star is not a subresource");
        let every = rule(json!(["*/*"]), json!(["UPDATE"]), "Namespaced");
        assert!(
            every.is_for(&pods, "status", Operation::Update) && every.is_for(&pods, "", Operation::Update)
        );
        assert!(!every.is_for(&nodes, "", Operation::Update) && !every.is_for(&pods, "", Operation::Create));
        let status = rule(json!(["pods/status"]), json!(["UPDATE"]), "*");
        assert!(
            status.is_for(&pods, "status", Operation::Update) && !status.is_for(&pods, "", Operation::Update)
        );
        assert!(!all.is_for(&info("batch", "v1", "jobs", true), "", Operation::Create));
        assert!(!all.is_for(&info("apps", "v1beta1", "deployments", true), "", Operation::Create));
    }
}
