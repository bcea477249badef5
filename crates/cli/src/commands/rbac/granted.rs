//! The rights that manifests grant to an account, compared with those that it needs.

use std::collections::BTreeSet;

use client_rs_machinery::Json;

use super::grant::{Grant, Reach};

/// A service account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Account {
    /// The name of the user that requests of the account have.
    pub(super) fn user(&self) -> String {
        format!("system:serviceaccount:{}:{}", self.namespace, self.name)
    }

    fn is_subject(&self, subject: &Json) -> bool {
        let text = |field: &str| subject[field].as_str().unwrap_or_default();
        match text("kind") {
            "ServiceAccount" => text("name") == self.name && text("namespace") == self.namespace,
            "User" => text("name") == self.user(),
            "Group" => {
                let own = format!("system:serviceaccounts:{}", self.namespace);
                ["system:authenticated", "system:serviceaccounts", &own].contains(&text("name"))
            }
            _ => false,
        }
    }
}

/// A rule of a role that is bound to the account.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    reach: Reach,
    /// The manifest that has the rule, for messages.
    role: String,
    groups: Vec<String>,
    resources: Vec<String>,
    verbs: Vec<String>,
}

/// A right that a manifest may grant although no test used it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) verb: String,
    /// `RESOURCE` or `RESOURCE.GROUP`.
    pub(super) resource: String,
}

impl Kept {
    fn allows(&self, grant: &Grant) -> bool {
        let full = if grant.group.is_empty() {
            grant.resource.clone()
        } else {
            format!("{}.{}", grant.resource, grant.group)
        };
        self.verb == grant.verb && self.resource == full
    }
}

/// Returns the differences between the rights in manifests and those that are needed: one line for each right that is
/// missing, unused, or wider than its use. Rules for paths are not compared, and `resourceNames` are ignored.
pub(super) fn differences(
    manifests: &[Json],
    account: &Account,
    needed: &BTreeSet<Grant>,
    kept: &[Kept],
) -> Vec<String> {
    let (rules, mut problems) = bound(manifests, account);
    for grant in needed {
        if !rules.iter().any(|rule| rule.covers(grant)) {
            problems.push(format!("missing: {grant}"));
        }
    }
    for rule in &rules {
        for grant in rule.grants() {
            let (role, is_used) = (&rule.role, needed.contains(&grant));
            if is_used || kept.iter().any(|kept| kept.allows(&grant)) {
                continue;
            }
            let narrower = needed.iter().find(|other| {
                (&other.group, &other.resource, &other.verb) == (&grant.group, &grant.resource, &grant.verb)
            });
            problems.push(match narrower {
                _ if [&grant.group, &grant.resource, &grant.verb].iter().any(|text| *text == "*") => {
                    format!("too wide: {role} grants {grant}; name what is used")
                }
                Some(used) => format!("too wide: {role} grants {grant}, but the use is {used}"),
                None => format!("unused: {role} grants {grant}"),
            });
        }
    }
    problems
}

/// The rules of all roles that are bound to the account, and what is wrong with the bindings.
fn bound(manifests: &[Json], account: &Account) -> (Vec<Rule>, Vec<String>) {
    let text = |object: &Json, path: &[&str]| {
        object.path(path).and_then(Json::as_str).unwrap_or_default().to_owned()
    };
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    for binding in manifests {
        let kind = text(binding, &["kind"]);
        let namespace = text(binding, &["metadata", "namespace"]);
        let reach = match kind.as_str() {
            "ClusterRoleBinding" => Reach::Cluster,
            "RoleBinding" => Reach::Namespace(namespace.clone()),
            _ => continue,
        };
        let subjects = binding["subjects"].as_list().cloned().unwrap_or_default();
        if !subjects.iter().any(|subject| account.is_subject(subject)) {
            continue;
        }
        let (role_kind, role_name) =
            (text(binding, &["roleRef", "kind"]), text(binding, &["roleRef", "name"]));
        let role = manifests.iter().find(|role| {
            text(role, &["kind"]) == role_kind
                && text(role, &["metadata", "name"]) == role_name
                && (role_kind == "ClusterRole" || text(role, &["metadata", "namespace"]) == namespace)
        });
        let Some(role) = role else {
            let name = text(binding, &["metadata", "name"]);
            problems.push(format!(
                "{kind} {name} refers to the {role_kind} {role_name}, which is in no manifest"
            ));
            continue;
        };
        let list = |rule: &Json, field: &str| -> Vec<String> {
            let texts = rule[field].as_list().cloned().unwrap_or_default();
            texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
        };
        for rule in role["rules"].as_list().into_iter().flat_map(|rules| rules.iter()) {
            rules.push(Rule {
                reach: reach.clone(),
                role: format!("{role_kind} {role_name}"),
                groups: list(rule, "apiGroups"),
                resources: list(rule, "resources"),
                verbs: list(rule, "verbs"),
            });
        }
    }
    (rules, problems)
}

impl Rule {
    fn covers(&self, grant: &Grant) -> bool {
        let any = |texts: &[String], wanted: &str| texts.iter().any(|text| text == "*" || text == wanted);
        let of_any_resource = grant
            .resource
            .split_once('/')
            .is_some_and(|(_, sub)| self.resources.contains(&format!("*/{sub}")));
        (self.reach == Reach::Cluster || self.reach == grant.reach)
            && any(&self.groups, &grant.group)
            && (any(&self.resources, &grant.resource) || of_any_resource)
            && any(&self.verbs, &grant.verb)
    }

    fn grants(&self) -> impl Iterator<Item = Grant> {
        self.groups.iter().flat_map(move |group| {
            self.resources.iter().flat_map(move |resource| {
                self.verbs.iter().map(move |verb| Grant {
                    reach: self.reach.clone(),
                    group: group.clone(),
                    resource: resource.clone(),
                    verb: verb.clone(),
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn account() -> Account {
        Account { namespace: "system".into(), name: "operator".into() }
    }

    fn grant(reach: Reach, group: &str, resource: &str, verb: &str) -> Grant {
        Grant { reach, group: group.into(), resource: resource.into(), verb: verb.into() }
    }

    fn cluster(rules: Json) -> Vec<Json> {
        let subject = json!({"kind": "ServiceAccount", "name": "operator", "namespace": "system"});
        vec![
            json!({"kind": "ClusterRole", "metadata": {"name": "r"}, "rules": rules}),
            json!({"kind": "ClusterRoleBinding", "metadata": {"name": "b"}, "subjects": [subject],
                "roleRef": {"kind": "ClusterRole", "name": "r"}}),
        ]
    }

    fn list_pods() -> BTreeSet<Grant> {
        BTreeSet::from([grant(Reach::Cluster, "", "pods", "list")])
    }

    #[test]
    fn exactly_the_needed_rights_are_no_difference() {
        let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]);
        assert_eq!(differences(&cluster(rules), &account(), &list_pods(), &[]), [""; 0]);
    }

    #[test]
    fn missing_and_unused_rights_are_found() {
        let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
        let manifests = cluster(rules);
        assert_eq!(
            differences(&manifests, &account(), &list_pods(), &[]),
            ["missing: list pods in the cluster", "unused: ClusterRole r grants get pods in the cluster"]
        );
        // Another account has none of them.
        let other = Account { namespace: "system".into(), name: "other".into() };
        assert_eq!(differences(&manifests, &other, &list_pods(), &[]), ["missing: list pods in the cluster"]);
        // A right that tests can't use.
        let kept = [Kept { verb: "get".into(), resource: "pods".into() }];
        assert_eq!(
            differences(&manifests, &account(), &list_pods(), &kept),
            ["missing: list pods in the cluster"]
        );
    }

    #[test]
    fn wider_rights_than_used_are_found() {
        let everything = json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]);
        assert_eq!(
            differences(&cluster(everything), &account(), &list_pods(), &[]),
            ["too wide: ClusterRole r grants * *.* in the cluster; name what is used"]
        );
        let leases = "coordination.k8s.io";
        let needed = BTreeSet::from([grant(Reach::Namespace("system".into()), leases, "leases", "update")]);
        let rules = json!([{"apiGroups": [leases], "resources": ["leases"], "verbs": ["update"]}]);
        assert_eq!(
            differences(&cluster(rules), &account(), &needed, &[]),
            [
                "too wide: ClusterRole r grants update leases.coordination.k8s.io in the cluster, but the use is \
              update leases.coordination.k8s.io in the namespace system"
            ]
        );
    }

    #[test]
    fn a_role_of_a_namespace_does_not_reach_another_and_must_exist() {
        let subject = json!({"kind": "ServiceAccount", "name": "operator", "namespace": "system"});
        let mut manifests = vec![
            json!({"kind": "RoleBinding", "metadata": {"name": "b", "namespace": "system"},
                "subjects": [subject], "roleRef": {"kind": "Role", "name": "r"}}),
            json!({"kind": "Role", "metadata": {"name": "r", "namespace": "elsewhere"},
                "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]}),
        ];
        let missing = "missing: list pods in the cluster";
        assert_eq!(
            differences(&manifests, &account(), &list_pods(), &[]),
            ["RoleBinding b refers to the Role r, which is in no manifest", missing]
        );
        manifests[1].set(&["metadata", "namespace"], "system").unwrap();
        assert_eq!(
            differences(&manifests, &account(), &list_pods(), &[]),
            [
                missing,
                "too wide: Role r grants list pods in the namespace system, but the use is list pods in the cluster"
            ]
        );
    }
}
