//! What is served: every resource in each of its versions.

use std::collections::HashMap;

use client_rs_machinery::{GroupKind, GroupResource, Kind, ResourceInfo, Scheme};

use super::Stored;
use super::convert::{self, Conversion};
use super::strategy::Strategy;
use crate::store::{Store, TableId};

/// A resource in one version.
#[derive(Debug)]
pub(crate) struct Served {
    /// What discovery says of it.
    pub(crate) info: &'static ResourceInfo,
    /// Its type.
    pub(crate) kind: Kind,
    /// Where its objects are; `None` for one that has none, such as a review.
    pub(crate) table: Option<TableId>,
    /// How the generic rules apply.
    pub(crate) strategy: Strategy,
    /// How it differs from what is stored.
    pub(crate) conversion: Option<Conversion>,
}

impl Served {
    fn table_of(all: &[Self], at: usize) -> Option<TableId> {
        all.get(at).and_then(|served| served.table)
    }

    /// What `apiVersion` says.
    pub(crate) fn api_version(&self) -> String {
        api_version(self.info)
    }

    /// For errors about an object.
    pub(crate) fn group_resource(&self) -> GroupResource {
        GroupResource::new(self.info.group, self.info.plural)
    }

    /// For errors about the content of an object.
    pub(crate) fn group_kind(&self) -> GroupKind {
        GroupKind::new(self.info.group, self.info.kind)
    }

    /// Whether it has this subresource.
    pub(crate) fn has(&self, subresource: &str) -> bool {
        self.info.subresources.iter().any(|sub| sub.name == subresource)
    }

    /// Whether discovery names this verb.
    pub(crate) fn can(&self, verb: &str) -> bool {
        self.info.verbs.contains(&verb)
    }
}

/// Every resource that is served.
#[derive(Debug)]
pub(crate) struct Catalog {
    served: Vec<Served>,
    by_path: HashMap<(&'static str, &'static str, &'static str), usize>,
}

/// The groups in the order of the real server's discovery.
const GROUP_ORDER: &[&str] = &[
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "storagemigration.k8s.io",
];

impl Catalog {
    /// The stable versions of the built-in resources, each with a table in the store.
    pub(crate) fn built_in(store: &mut Store<std::sync::Arc<Stored>>) -> Self {
        let scheme: Scheme = client_rs_api::scheme();
        let mut infos: Vec<_> =
            client_rs_api::served().iter().copied().filter(|info| is_served(info)).collect();
        let rank = |group: &str| GROUP_ORDER.iter().position(|known| *known == group);
        // Stable: versions and resources keep their order within a group.
        infos.sort_by_key(|info| rank(info.group).unwrap_or(GROUP_ORDER.len()));
        let mut served = Vec::with_capacity(infos.len());
        let mut by_path = HashMap::new();
        for info in infos {
            let Some(kind) = scheme.find(&api_version(info), info.kind) else { continue };
            let keeps = ["create", "get", "list"].iter().all(|verb| info.verbs.contains(verb));
            by_path.insert((info.group, info.version, info.plural), served.len());
            let conversion = (info.group == "events.k8s.io").then_some(convert::EVENTS);
            // The core group comes first: its events are there when the other group's are added.
            let shared = conversion.and_then(|_| by_path.get(&("", "v1", info.plural)).copied());
            let table = match shared {
                Some(at) => Served::table_of(&served, at),
                None => keeps.then(|| store.add_table()),
            };
            served.push(Served { info, kind, table, strategy: Strategy::of(info), conversion });
        }
        Self { served, by_path }
    }

    /// All of them: by group, then by version, the preferred one first.
    pub(crate) fn all(&self) -> &[Served] {
        &self.served
    }

    /// The resource of a path.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Served> {
        self.by_path.get(&(group, version, plural)).map(|at| &self.served[*at])
    }

    /// The resource that an owner reference means.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Served> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        self.served.iter().find(|served| {
            served.info.kind == kind && served.info.group == group && served.info.version == version
        })
    }
}

fn is_served(info: &ResourceInfo) -> bool {
    // What is neither alpha nor beta is on by default, as in the real server. Of two versions of one object, the one
    // that is stored: the other would need a conversion that is not written yet.
    let stable = info.version.trim_start_matches('v').bytes().all(|digit| digit.is_ascii_digit());
    stable && (info.group, info.version) != ("autoscaling", "v1")
}

pub(crate) fn api_version(info: &ResourceInfo) -> String {
    if info.group.is_empty() { info.version.to_owned() } else { format!("{}/{}", info.group, info.version) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_versions_are_served_in_the_order_of_discovery() {
        let catalog = Catalog::built_in(&mut Store::new(1));
        let mut groups: Vec<&str> = catalog.all().iter().map(|served| served.info.group).collect();
        groups.dedup();
        assert_eq!(groups[..3], ["", "apiregistration.k8s.io", "apps"]);
        let unique: std::collections::HashSet<_> = groups.iter().collect();
        assert_eq!(unique.len(), groups.len());
        assert!(catalog.find("", "v1", "pods").is_some());
        assert!(catalog.find("apps", "v1", "deployments").is_some_and(|served| served.has("scale")));
        assert!(catalog.find("resource.k8s.io", "v1beta1", "resourceclaims").is_none());
        let review = catalog.find("authentication.k8s.io", "v1", "tokenreviews").unwrap();
        assert_eq!(review.table, None);
        assert_eq!(
            catalog.of_kind("apps/v1", "Deployment").map(|served| served.info.plural),
            Some("deployments")
        );
    }
}
