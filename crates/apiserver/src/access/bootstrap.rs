//! The default roles and bindings of a cluster. They are a text table, which is read when a server starts.

use client_rs_machinery::{Json, Unstructured, json};

use super::rbac::GROUP;
use crate::registry::Registry;

const TABLE: &str = include_str!("bootstrap_roles.txt");

/// Creates the default roles and bindings: with `all`, also those for the components of a cluster.
pub(crate) fn create(registry: &Registry, all: bool) {
    for entry in entries(TABLE, all) {
        let (plural, object) = entry.to_object();
        let served = registry.catalog().find(GROUP, "v1", plural);
        if let (Some(served), Ok(object)) = (served, Unstructured::try_from(object)) {
            let created = registry.add_fixture(&served, object);
            debug_assert!(created.is_ok(), "{created:?}");
        }
    }
}

/// A role or a binding.
struct Entry<'t> {
    /// The first line: words.
    head: Vec<&'t str>,
    /// The lines of rules.
    rules: Vec<&'t str>,
}

fn entries(table: &str, all: bool) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        match (line, entries.last_mut()) {
            ("rest", _) if all => {}
            ("rest", _) => break,
            (rule, Some(entry)) if rule.starts_with(' ') => entry.rules.push(rule.trim()),
            (head, _) => {
                entries.push(Entry { head: head.split_whitespace().collect(), rules: Vec::new() });
            }
        }
    }
    entries
}

impl<'t> Entry<'t> {
    /// The word behind a keyword of the first line; empty if it is missing.
    fn after(&self, keyword: &str) -> &'t str {
        let at = self.head.iter().position(|word| *word == keyword);
        at.and_then(|at| self.head.get(at + 1)).copied().unwrap_or_default()
    }

    fn has(&self, keyword: &str) -> bool {
        self.head.contains(&keyword)
    }

    /// The plural name of the resource, and the object.
    fn to_object(&self) -> (&'static str, Json) {
        let namespace = self.after("in");
        let mut metadata = json!({
            "name": self.head.get(1).copied().unwrap_or_default(),
            "labels": {"kubernetes.io/bootstrapping": "rbac-defaults"},
            "annotations": {"rbac.authorization.kubernetes.io/autoupdate": "true"},
        });
        // Setting these fields can't fail: their parents are objects that were just created.
        if !namespace.is_empty() {
            let _ = metadata.set(&["namespace"], namespace);
        }
        let label = |of: &str| format!("rbac.authorization.k8s.io/aggregate-to-{of}");
        if self.has("part-of") {
            let _ = metadata.set(&["labels", &label(self.after("part-of"))], "true");
        }
        let cluster = namespace.is_empty();
        if self.has("bind") {
            let (plural, kind) = if cluster {
                ("clusterrolebindings", "ClusterRoleBinding")
            } else {
                ("rolebindings", "RoleBinding")
            };
            return (plural, self.binding(kind, cluster, metadata));
        }
        let (plural, kind) = if cluster { ("clusterroles", "ClusterRole") } else { ("roles", "Role") };
        let rules: Vec<Json> = self.rules.iter().map(|rule| to_rule(rule)).collect();
        let mut role = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata, "rules": rules,
        });
        if self.has("aggregated") {
            let mut labels = Json::EMPTY_MAP;
            let _ = labels.set(&[label(self.after("role"))], "true");
            let _ = role.set(&["aggregationRule", "clusterRoleSelectors"], json!([{"matchLabels": labels}]));
        }
        (plural, role)
    }

    fn binding(&self, kind: &str, cluster: bool, metadata: Json) -> Json {
        let role = if self.has("to") { self.after("to") } else { self.after("bind") };
        let subjects: Vec<Json> = self.head.iter().filter_map(|word| to_subject(word)).collect();
        let mut binding = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata,
            "roleRef": {"apiGroup": GROUP, "kind": if cluster { "ClusterRole" } else { "Role" }, "name": role},
        });
        if !subjects.is_empty() {
            let _ = binding.set(&["subjects"], subjects);
        }
        binding
    }
}

fn to_rule(line: &str) -> Json {
    let mut words = line.split(' ');
    let groups = list(words.next());
    let (what, verbs) = (list(words.next()), list(words.next()));
    if groups == ["url"] {
        return json!({"nonResourceURLs": what, "verbs": verbs});
    }
    let groups: Vec<&str> =
        groups.into_iter().map(|group| if group == "core" { "" } else { group }).collect();
    let mut rule = json!({"apiGroups": groups, "resources": what, "verbs": verbs});
    if let Some(names) = words.next() {
        let _ = rule.set(&["resourceNames"], list(Some(names)));
    }
    rule
}

fn list(words: Option<&str>) -> Vec<&str> {
    words.unwrap_or_default().split(',').collect()
}

fn to_subject(word: &str) -> Option<Json> {
    let (kind, name) = word.split_once(':')?;
    match kind {
        "group" => Some(json!({"apiGroup": GROUP, "kind": "Group", "name": name})),
        "user" => Some(json!({"apiGroup": GROUP, "kind": "User", "name": name})),
        "account" => {
            let (namespace, name) = name.split_once('/')?;
            Some(json!({"kind": "ServiceAccount", "name": name, "namespace": namespace}))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_roles_and_bindings_of_a_cluster() {
        let count = |all: bool, plural: &str| {
            entries(TABLE, all).iter().filter(|entry| entry.to_object().0 == plural).count()
        };
        assert_eq!((count(false, "clusterroles"), count(false, "clusterrolebindings")), (11, 5));
        assert_eq!((count(true, "clusterroles"), count(true, "clusterrolebindings")), (73, 54));
        assert_eq!((count(true, "roles"), count(true, "rolebindings")), (7, 7));
    }

    #[test]
    fn entries_are_read_from_their_lines() {
        let table = "role a part-of b aggregated\nrest\nrole c in ns\n  core,apps pods,x get,list p\n  url /a,/b get\n\
                     bind d in ns to c user:u account:n/s group:system:g\n";
        assert_eq!(entries(table, false).len(), 1);
        let objects: Vec<_> = entries(table, true).iter().map(Entry::to_object).collect();
        assert_eq!(
            objects.iter().map(|(plural, _)| *plural).collect::<Vec<_>>(),
            ["clusterroles", "roles", "rolebindings"]
        );
        let rules = &objects[1].1["rules"];
        assert_eq!(
            rules[0],
            json!({"apiGroups": ["", "apps"], "resources": ["pods", "x"], "verbs": ["get", "list"], "resourceNames": ["p"]})
        );
        assert_eq!(rules[1], json!({"nonResourceURLs": ["/a", "/b"], "verbs": ["get"]}));
        let binding = &objects[2].1;
        assert_eq!(binding["roleRef"]["name"].as_str(), Some("c"));
        assert_eq!(binding["subjects"][2]["name"].as_str(), Some("system:g"));
        let label = &objects[0].1["metadata"]["labels"]["rbac.authorization.k8s.io/aggregate-to-b"];
        assert_eq!(label.as_str(), Some("true"));
    }
}
