//! The checks of each level and version.

use client_rs_machinery::Json;

use super::policy::{Level, Standard, Version};
use super::{baseline, restricted};
use crate::kinds::shared::checks::{list, text};

/// The newest version with rules of its own.
const NEWEST: u64 = 37;

/// A pod, or the template of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pod<'a> {
    pub(super) metadata: &'a Json,
    pub(super) spec: &'a Json,
}

impl<'a> Pod<'a> {
    /// All containers: of the start, of the pod, and those added later.
    pub(super) fn containers(&self) -> impl Iterator<Item = &'a Json> {
        let spec = self.spec;
        ["initContainers", "containers", "ephemeralContainers"].into_iter().flat_map(|kind| list(&spec[kind]))
    }

    /// The security context of the pod.
    pub(super) fn security(&self) -> &'a Json {
        &self.spec["securityContext"]
    }

    /// The names of the containers for which `is_bad` holds.
    pub(super) fn named(&self, is_bad: impl Fn(&'a Json) -> bool) -> Vec<&'a str> {
        let bad = self.containers().filter(|container| is_bad(container));
        bad.map(|container| text(&container["name"])).collect()
    }

    pub(super) fn is_windows(&self) -> bool {
        text(&self.spec["os"]["name"]) == "windows"
    }

    /// Whether the pod is in a user namespace of its own.
    pub(super) fn is_in_user_namespace(&self) -> bool {
        self.spec["hostUsers"].as_bool() == Some(false)
    }
}

/// A violation: a reason, and the place in the pod.
#[derive(Debug)]
pub(super) struct Violation {
    pub(super) reason: String,
    pub(super) detail: String,
}

impl Violation {
    pub(super) fn new(reason: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { reason: reason.into(), detail: detail.into() }
    }
}

/// All violations of a pod.
#[derive(Debug)]
pub(super) struct Violations(Vec<Violation>);

impl Violations {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The reasons.
    pub(super) fn reason(&self) -> String {
        self.0.iter().map(|violation| violation.reason.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The reasons with their details.
    pub(super) fn detail(&self) -> String {
        let each = self.0.iter().map(|Violation { reason, detail }| {
            if detail.is_empty() { reason.clone() } else { format!("{reason} ({detail})") }
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

/// One rule of a pod.
pub(super) type Rule = fn(&Pod<'_>) -> Option<Violation>;

/// A check, with its rule since each version.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) since: &'static [(u64, Rule)],
    /// The baseline check that this check of the restricted level replaces.
    pub(super) replaces: &'static str,
}

impl Check {
    pub(super) const fn new(name: &'static str, since: &'static [(u64, Rule)]) -> Self {
        Self { name, since, replaces: "" }
    }

    pub(super) const fn replacing(self, replaces: &'static str) -> Self {
        Self { replaces, ..self }
    }

    fn at(&self, version: u64) -> Option<Rule> {
        self.since.iter().rev().find(|(since, _)| *since <= version).map(|(_, rule)| *rule)
    }
}

/// The violations of a level.
pub(super) fn violations(standard: Standard, pod: &Pod<'_>) -> Violations {
    let version = match standard.version {
        Version::Minor(minor) => minor.min(NEWEST),
        Version::Latest => NEWEST,
    };
    let restricted = if standard.level == Level::Restricted { restricted::CHECKS } else { &[] };
    let baseline = if standard.level == Level::Privileged { &[] } else { baseline::CHECKS };
    let replaced =
        |name: &str| restricted.iter().any(|check| check.replaces == name && check.at(version).is_some());
    let checks = baseline.iter().filter(|check| !replaced(check.name)).chain(restricted);
    let rules = checks.filter_map(|check| check.at(version));
    Violations(rules.filter_map(|rule| rule(pod)).collect())
}

/// Names in quotes.
pub(super) fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    quoted.join(", ")
}

pub(super) fn plural<'a>(one: &'a str, several: &'a str, count: usize) -> &'a str {
    if count == 1 { one } else { several }
}

/// "container" or "containers" with their names.
pub(super) fn containers(names: &[&str]) -> String {
    format!("{} {}", plural("container", "containers", names.len()), quoted(names))
}

/// The pod and the containers that set something, joined; `None` if nobody does.
pub(super) fn setters(pod: bool, names: &[&str]) -> Option<String> {
    let pod = pod.then(|| "pod".to_owned());
    let containers = (!names.is_empty()).then(|| containers(names));
    let all: Vec<String> = pod.into_iter().chain(containers).collect();
    (!all.is_empty()).then(|| all.join(" and "))
}

/// Distinct values in order.
pub(super) fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    values.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn detail(level: Level, version: Version, spec: &Json) -> String {
        let metadata = json!({});
        violations(Standard { level, version }, &Pod { metadata: &metadata, spec }).detail()
    }

    fn secure(changes: &Json) -> Json {
        let mut spec = json!({
            "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
            "containers": [{"name": "a", "securityContext": {
                "allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]},
            }}],
        });
        if let Some(extra) = changes.as_map() {
            for (key, value) in extra {
                let _ = spec.set(&[key.as_str()], value.clone());
            }
        }
        spec
    }

    #[test]
    fn a_plain_pod_is_baseline_but_not_restricted() {
        let plain = json!({"containers": [{"name": "a"}]});
        assert_eq!(detail(Level::Baseline, Version::Latest, &plain), "");
        assert_eq!(
            detail(Level::Restricted, Version::Latest, &plain),
            "allowPrivilegeEscalation != false (container \"a\" must set securityContext.allowPrivilegeEscalation=false), \
             unrestricted capabilities (container \"a\" must set securityContext.capabilities.drop=[\"ALL\"]), \
             runAsNonRoot != true (pod or container \"a\" must set securityContext.runAsNonRoot=true), seccompProfile \
             (pod or container \"a\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")"
        );
        // Before 1.8, fewer fields existed.
        assert_eq!(
            detail(Level::Restricted, Version::Minor(7), &plain),
            "runAsNonRoot != true (pod or container \"a\" must set securityContext.runAsNonRoot=true)"
        );
        assert_eq!(detail(Level::Restricted, Version::Latest, &secure(&json!({}))), "");
    }

    #[test]
    fn checks_of_the_restricted_level_replace_their_weaker_ones() {
        let volumes = secure(&json!({"volumes": [{"name": "v", "hostPath": {"path": "/"}}]}));
        assert_eq!(detail(Level::Baseline, Version::Latest, &volumes), "hostPath volumes (volume \"v\")");
        assert_eq!(
            detail(Level::Restricted, Version::Latest, &volumes),
            "restricted volume types (volume \"v\" uses restricted volume type \"hostPath\")"
        );
    }

    #[test]
    fn a_pod_in_a_user_namespace_may_run_as_root_since_1_35() {
        let mut spec = secure(&json!({"hostUsers": false}));
        let _ = spec.set(&["securityContext", "runAsNonRoot"], false);
        assert_eq!(detail(Level::Restricted, Version::Minor(35), &spec), "");
        assert_eq!(
            detail(Level::Restricted, Version::Minor(34), &spec),
            "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)"
        );
    }
}
