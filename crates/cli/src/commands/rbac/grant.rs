//! Grants: one verb on one resource, in the cluster or in one namespace.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use client_rs_machinery::{Json, json};

use super::record::Permission;

/// Where a grant holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// In all namespaces, and for resources without namespaces.
    Cluster,
    Namespace(String),
}

/// One verb on one resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Grant {
    pub(super) reach: Reach,
    pub(super) group: String,
    /// With its subresource: `deployments/scale`.
    pub(super) resource: String,
    pub(super) verb: String,
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reach, group, resource, verb } = self;
        write!(f, "{verb} {resource}")?;
        if !group.is_empty() {
            write!(f, ".{group}")?;
        }
        match reach {
            Reach::Cluster => f.write_str(" in the cluster"),
            Reach::Namespace(namespace) => write!(f, " in the namespace {namespace}"),
        }
    }
}

/// Resources that every authenticated user may create: questions about the user's own rights.
const BASIC: [(&str, &str); 3] = [
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
];

/// Returns the grants that the used permissions need.
///
/// Namespaces of tests stand for any namespace, so a permission in one of them becomes a grant in the cluster. Only the namespaces in `fixed`, such
/// as that of the account, stay namespaces, unless the same resource is also used in the whole cluster.
pub(super) fn needed(permissions: &[Permission], fixed: &BTreeSet<String>) -> BTreeSet<Grant> {
    let used = permissions.iter().filter(|one| !BASIC.contains(&(&one.group, &one.resource)));
    let base = |one: &Permission| {
        let resource = one.resource.split('/').next().unwrap_or_default();
        (one.group.clone(), resource.to_owned())
    };
    let in_cluster: BTreeSet<_> = used.clone().filter(|one| one.namespace.is_empty()).map(base).collect();
    used.flat_map(|one| {
        // The API server treats a Namespace as being inside of itself.
        let is_namespace = base(one) == (String::new(), "namespaces".to_owned());
        let stays = fixed.contains(&one.namespace) && !is_namespace && !in_cluster.contains(&base(one));
        let reach = if stays { Reach::Namespace(one.namespace.clone()) } else { Reach::Cluster };
        [one.verb.as_str()].into_iter().chain(implied(one)).map(move |verb| Grant {
            reach: reach.clone(),
            group: one.group.clone(),
            resource: one.resource.clone(),
            verb: verb.to_owned(),
        })
    })
    .collect()
}

/// The verb that the same code needs sooner or later, although a short test may not get there.
fn implied(used: &Permission) -> Option<&'static str> {
    match (used.verb.as_str(), used.resource.as_str()) {
        // Informers get their first objects from the watch where the server can send them, and list elsewhere.
        ("watch", _) => Some("list"),
        // An event that is recorded again is a patch of the first one.
        ("create", "events") => Some("patch"),
        // A lease is renewed.
        ("create", "leases") => Some("update"),
        _ => None,
    }
}

/// The order in which people write verbs.
const VERBS: [&str; 8] = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/// Returns the rules of a role for these grants, whose reach is ignored. Resources of a group with equal verbs share a rule.
pub(super) fn rules<'g>(grants: impl IntoIterator<Item = &'g Grant>) -> Vec<Json> {
    let mut verbs: BTreeMap<(&str, &str), BTreeSet<(usize, &str)>> = BTreeMap::new();
    for grant in grants {
        let place = VERBS.iter().position(|verb| *verb == grant.verb).unwrap_or(VERBS.len());
        verbs.entry((&grant.group, &grant.resource)).or_default().insert((place, &grant.verb));
    }
    let mut shared: BTreeMap<(&str, Vec<&str>), Vec<&str>> = BTreeMap::new();
    for ((group, resource), verbs) in verbs {
        let verbs = verbs.into_iter().map(|(_, verb)| verb).collect();
        shared.entry((group, verbs)).or_default().push(resource);
    }
    let list = |texts: &[&str]| texts.iter().map(|text| Json::from(*text)).collect::<Json>();
    let mut rules: Vec<_> = shared.into_iter().collect();
    rules.sort_by(|one, other| (one.0.0, &one.1).cmp(&(other.0.0, &other.1)));
    rules
        .into_iter()
        .map(|((group, verbs), resources)| {
            json!({"apiGroups": [group], "resources": list(&resources), "verbs": list(&verbs)})
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(lines: &[&str]) -> Vec<Permission> {
        let parsed = lines.iter().map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let [verb, group, resource, namespace] = words[..] else { panic!("{line}") };
            let text = |word: &str| if word == "-" { String::new() } else { word.to_owned() };
            Permission {
                user: "u".to_owned(),
                group: text(group),
                resource: text(resource),
                verb: text(verb),
                namespace: text(namespace),
            }
        });
        parsed.collect()
    }

    fn texts(lines: &[&str]) -> Vec<String> {
        let fixed = BTreeSet::from(["system".to_owned()]);
        needed(&used(lines), &fixed).iter().map(Grant::to_string).collect()
    }

    #[test]
    fn namespaces_of_tests_stand_for_all_namespaces() {
        assert_eq!(
            texts(&[
                "list - configmaps -",
                "patch - configmaps default",
                "patch - configmaps system",
                "create - events default",
                "update coordination.k8s.io leases system",
                "update example.com sites/status default",
            ]),
            [
                "list configmaps in the cluster",
                "patch configmaps in the cluster",
                "create events in the cluster",
                "patch events in the cluster",
                "update sites/status.example.com in the cluster",
                "update leases.coordination.k8s.io in the namespace system",
            ]
        );
    }

    #[test]
    fn a_verb_brings_the_one_that_a_short_test_does_not_reach() {
        let used = ["watch - pods a", "create - events a", "create coordination.k8s.io leases system"];
        assert_eq!(
            texts(&used),
            [
                "create events in the cluster",
                "patch events in the cluster",
                "list pods in the cluster",
                "watch pods in the cluster",
                "create leases.coordination.k8s.io in the namespace system",
                "update leases.coordination.k8s.io in the namespace system",
            ]
        );
    }

    #[test]
    fn a_namespace_object_is_not_inside_a_namespace_and_basic_rights_need_no_rule() {
        assert_eq!(texts(&["get - namespaces system"]), ["get namespaces in the cluster"]);
        assert_eq!(texts(&["create authorization.k8s.io selfsubjectaccessreviews -"]), [""; 0]);
    }

    #[test]
    fn resources_with_equal_verbs_share_a_rule() {
        let grants = needed(
            &used(&[
                "watch - configmaps -",
                "list - configmaps -",
                "list - secrets -",
                "watch - secrets -",
                "approve certificates.k8s.io signers -",
                "patch - events a",
            ]),
            &BTreeSet::new(),
        );
        assert_eq!(
            Json::from_iter(rules(&grants)),
            json!([
                {"apiGroups": [""], "resources": ["configmaps", "secrets"], "verbs": ["list", "watch"]},
                {"apiGroups": [""], "resources": ["events"], "verbs": ["patch"]},
                {"apiGroups": ["certificates.k8s.io"], "resources": ["signers"], "verbs": ["approve"]},
            ])
        );
    }
}
