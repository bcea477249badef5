//! The rules of roles.

use std::fmt;

use client_rs_machinery::Json;

use super::attributes::Attributes;
use crate::request::texts;

/// A rule of a role: the verbs that it allows on resources or on paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) verbs: Vec<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) resources: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) paths: Vec<String>,
}

impl Rule {
    /// The rules that grant every right.
    pub(super) fn everything() -> [Self; 2] {
        let all = || vec!["*".to_owned()];
        [
            Self { verbs: all(), groups: all(), resources: all(), ..Self::default() },
            Self { verbs: all(), paths: all(), ..Self::default() },
        ]
    }

    pub(crate) fn parse(rule: &Json) -> Self {
        Self {
            verbs: texts(&rule["verbs"]),
            groups: texts(&rule["apiGroups"]),
            resources: texts(&rule["resources"]),
            names: texts(&rule["resourceNames"]),
            paths: texts(&rule["nonResourceURLs"]),
        }
    }

    /// Whether the rule allows the request.
    pub(crate) fn allows(&self, asked: &Attributes) -> bool {
        if !any(&self.verbs, &asked.verb) {
            return false;
        }
        let Some(of) = &asked.resource else {
            return self.paths.iter().any(|path| path_matches(path, &asked.path));
        };
        any(&self.groups, &of.group)
            && self.resources.iter().any(|rule| resource_matches(rule, &of.combined(), &of.subresource))
            && (self.names.is_empty() || self.names.contains(&of.name))
    }

    /// Splits the rule into rules of one verb on one resource or path.
    pub(crate) fn pieces(&self) -> Vec<Self> {
        let mut pieces = Vec::new();
        for verb in &self.verbs {
            let verbs = vec![verb.clone()];
            for group in &self.groups {
                for resource in &self.resources {
                    let piece = Self {
                        verbs: verbs.clone(),
                        groups: vec![group.clone()],
                        resources: vec![resource.clone()],
                        ..Self::default()
                    };
                    if self.names.is_empty() {
                        pieces.push(piece.clone());
                    }
                    pieces.extend(
                        self.names.iter().map(|name| Self { names: vec![name.clone()], ..piece.clone() }),
                    );
                }
            }
            let paths = self.paths.iter();
            pieces.extend(paths.map(|path| Self {
                verbs: verbs.clone(),
                paths: vec![path.clone()],
                ..Self::default()
            }));
        }
        pieces
    }

    /// Whether the rule grants everything that `piece` grants.
    pub(crate) fn covers(&self, piece: &Self) -> bool {
        let every = |own: &[String], asked: &[String]| asked.iter().all(|one| any(own, one));
        if !every(&self.verbs, &piece.verbs) {
            return false;
        }
        if !piece.paths.is_empty() {
            return piece.paths.iter().all(|path| self.paths.iter().any(|own| path_covers(own, path)));
        }
        let resource = |asked: &String| {
            let subresource = asked.split_once('/').map_or("", |(_, sub)| sub);
            self.resources.iter().any(|own| resource_matches(own, asked, subresource))
        };
        every(&self.groups, &piece.groups)
            && piece.resources.iter().all(resource)
            && (self.names.is_empty()
                || (!piece.names.is_empty() && piece.names.iter().all(|name| self.names.contains(name))))
    }
}

/// Prints a rule as the real server does when it refuses to grant it.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("APIGroups", &self.groups),
            ("Resources", &self.resources),
            ("ResourceNames", &self.names),
            ("NonResourceURLs", &self.paths),
            ("Verbs", &self.verbs),
        ];
        let told = parts.iter().filter(|(_, values)| !values.is_empty()).map(|(name, values)| {
            let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            format!("{name}:[{}]", values.join(" "))
        });
        write!(f, "{{{}}}", told.collect::<Vec<_>>().join(", "))
    }
}

fn any(own: &[String], asked: &str) -> bool {
    own.iter().any(|one| one == "*" || one == asked)
}

fn resource_matches(rule: &str, combined: &str, subresource: &str) -> bool {
    rule == "*"
        || rule == combined
        || (!subresource.is_empty() && rule.strip_prefix("*/").is_some_and(|own| own == subresource))
}

/// Matches a path. `*` at the end of the rule's path matches any suffix.
fn path_matches(rule: &str, path: &str) -> bool {
    rule == path || rule.strip_suffix('*').is_some_and(|prefix| path.starts_with(prefix))
}

fn path_covers(own: &str, asked: &str) -> bool {
    own == asked
        || own.strip_suffix('*').is_some_and(|prefix| asked.trim_end_matches('*').starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::super::attributes::ResourceAttributes;
    use super::*;

    fn asked(verb: &str, group: &str, resource: &str, subresource: &str, name: &str) -> Attributes {
        Attributes {
            verb: verb.into(),
            resource: Some(ResourceAttributes {
                group: group.into(),
                resource: resource.into(),
                subresource: subresource.into(),
                namespace: "a".into(),
                name: name.into(),
            }),
            path: String::new(),
        }
    }

    #[test]
    fn a_rule_allows_its_verbs_on_its_resources() {
        let rule = Rule::parse(
            &json!({"apiGroups": ["", "apps"], "resources": ["pods", "*/scale"], "verbs": ["get", "list"]}),
        );
        assert!(rule.allows(&asked("get", "", "pods", "", "x")));
        assert!(rule.allows(&asked("get", "apps", "deployments", "scale", "x")));
        assert!(!rule.allows(&asked("get", "", "pods", "log", "x")));
        assert!(!rule.allows(&asked("delete", "", "pods", "", "x")));
        assert!(!rule.allows(&asked("get", "batch", "pods", "", "x")));
        let named = Rule::parse(
            &json!({"apiGroups": ["*"], "resources": ["*"], "resourceNames": ["x"], "verbs": ["*"]}),
        );
        assert!(named.allows(&asked("update", "apps", "deployments", "status", "x")));
        assert!(!named.allows(&asked("list", "apps", "deployments", "", "")));
    }

    #[test]
    fn a_path_may_end_in_a_star() {
        let rule = Rule::parse(&json!({"nonResourceURLs": ["/healthz", "/healthz/*"], "verbs": ["get"]}));
        let asked = |path: &str| Attributes { verb: "get".into(), resource: None, path: path.into() };
        assert!(rule.allows(&asked("/healthz")));
        assert!(rule.allows(&asked("/healthz/etcd")));
        assert!(!rule.allows(&asked("/metrics")));
    }

    #[test]
    fn a_rule_covers_only_the_rights_that_it_grants() {
        let held = Rule::parse(
            &json!({"apiGroups": [""], "resources": ["pods", "pods/log"], "verbs": ["get", "list"]}),
        );
        let covered = |rule: client_rs_machinery::Json| {
            Rule::parse(&rule).pieces().iter().all(|piece| held.covers(piece))
        };
        assert!(covered(json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]})));
        assert!(covered(
            json!({"apiGroups": [""], "resources": ["pods/log"], "resourceNames": ["a"], "verbs": ["get"]})
        ));
        assert!(!covered(json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "delete"]})));
        assert!(!covered(json!({"apiGroups": [""], "resources": ["*"], "verbs": ["get"]})));
        let told = Rule::parse(&json!({"apiGroups": [""], "resources": ["pods"], "verbs": ["delete"]}));
        assert_eq!(told.to_string(), r#"{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}"#);
    }
}
