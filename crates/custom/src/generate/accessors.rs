//! Accessors: one client per group and version, with one method per kind, like client-gen's and like the clientset of the
//! built-in kinds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::generate::names;
use crate::generate::types::Kind;

pub(crate) fn write(kinds: &[Kind]) -> String {
    let mut groups: BTreeMap<(&str, &str), Vec<&Kind>> = BTreeMap::new();
    for kind in kinds {
        groups.entry((&kind.group, &kind.version)).or_default().push(kind);
    }
    let names = group_names(groups.keys().map(|(group, _)| *group));
    let mut out = String::new();
    let _ = writeln!(out, "/// The clients of all kinds here, by group and version.");
    structure(&mut out, "Clientset");
    for (group, version) in groups.keys() {
        let (method, name) = accessor(&names[group], version);
        let _ = writeln!(out, "\n    /// The kinds of `{group}/{version}`.");
        let _ =
            writeln!(out, "    pub fn {method}(&self) -> {name} {{\n        {name}::new(&self.rest)\n    }}");
    }
    out.push_str("}\n\n");
    for ((group, version), kinds) in &groups {
        let (_, name) = accessor(&names[group], version);
        let _ = writeln!(out, "/// The kinds of `{group}/{version}`.");
        structure(&mut out, &name);
        for kind in kinds {
            let path = format!("{}::{}", kind.module, kind.root);
            let (method, plural) = (names::field(&kind.plural), &kind.plural);
            let method =
                if matches!(method.as_str(), "new" | "rest") { format!("{method}_") } else { method };
            let _ = if kind.namespaced {
                writeln!(
                    out,
                    "\n    /// `{plural}` of a namespace, or of all.\n    \
                     pub fn {method}<W: Within>(&self, namespace: W) -> Api<{path}, W::Reach> {{\n        \
                     Api::within(&self.rest, namespace)\n    }}"
                )
            } else {
                writeln!(
                    out,
                    "\n    /// `{plural}`.\n    pub fn {method}(&self) -> Api<{path}> {{\n        \
                     Api::cluster(&self.rest)\n    }}"
                )
            };
        }
        out.push_str("}\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Writes a struct that holds a client, and the beginning of its `impl`.
fn structure(out: &mut String, name: &str) {
    let _ = writeln!(out, "#[derive(Clone, Debug)]\npub struct {name} {{\n    rest: RestClient,\n}}\n");
    let _ = writeln!(out, "impl {name} {{");
    let _ = writeln!(out, "    /// The resources as this client sees them.");
    let _ = writeln!(
        out,
        "    pub fn new(rest: &RestClient) -> Self {{\n        Self {{ rest: rest.clone() }}\n    }}"
    );
}

/// The method of the clientset, and its return type.
fn accessor(group: &str, version: &str) -> (String, String) {
    let name = format!("{}{}", names::type_name(group), names::type_name(version));
    (names::joined(&[group, version]), name)
}

/// The name of each group: its first DNS label, and as many more as make it unique.
fn group_names<'g>(groups: impl Iterator<Item = &'g str>) -> BTreeMap<&'g str, String> {
    let groups: std::collections::BTreeSet<&str> = groups.collect();
    let name = |group: &str, labels: usize| names::joined(&group.split('.').take(labels).collect::<Vec<_>>());
    let mut named = BTreeMap::new();
    for group in &groups {
        let labels = group.split('.').count();
        let alone = |labels: &usize| {
            let own = name(group, *labels);
            groups.iter().filter(|other| name(other, *labels) == own).count() == 1
        };
        let labels = (1..=labels).find(alone).unwrap_or(labels);
        named.insert(*group, name(group, labels));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_names_have_as_few_labels_as_possible() {
        let groups =
            ["gateway.networking.k8s.io", "gateway.networking.x-k8s.io", "cert-manager.io", "argoproj.io"];
        let by_group = group_names(groups.into_iter());
        let names: Vec<&str> = groups.iter().map(|group| by_group[group].as_str()).collect();
        assert_eq!(names, ["gateway_networking_k8s", "gateway_networking_x_k8s", "cert_manager", "argoproj"]);
        assert_eq!(
            accessor("cert_manager", "v1"),
            ("cert_manager_v1".to_owned(), "CertManagerV1".to_owned())
        );
    }
}
