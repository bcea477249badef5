//! What a server serves, as data.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use client_rs_machinery::meta::v1::{APIGroup, APIResource, APIResourceList};
use client_rs_machinery::{GroupVersion, List, Str};

use super::DiscoveryError;

/// The versions that could not be asked for, and why.
pub type FailedGroups = BTreeMap<GroupVersion, DiscoveryError>;

/// Groups and, where the server told both in one answer, their resources.
#[derive(Clone, Debug, Default)]
pub struct ServerGroups {
    /// The groups, the core group first.
    pub groups: Vec<APIGroup>,
    /// The resources of every version, in the groups' order; `None` where each version is to be asked for by itself.
    pub resources: Option<Vec<APIResourceList>>,
    /// The versions of which the server says that it does not know them any more.
    pub failed: FailedGroups,
}

impl ServerGroups {
    /// Every version of every group, as `apiVersion` has it, in the server's order.
    pub fn versions(&self) -> impl Iterator<Item = &Str> {
        self.groups.iter().flat_map(|group| &group.versions).map(|version| &version.group_version)
    }

    /// Does the server serve this version? A server that tells of no version at all is taken to.
    pub fn supports_version(&self, required: &GroupVersion) -> bool {
        let required = required.to_string();
        let mut any = false;
        let found = self.versions().inspect(|_| any = true).any(|version| *version == required);
        found || !any
    }
}

/// Everything that a server serves, as far as it could be asked.
///
/// A version that fails (an aggregated API server that is down) takes nothing from the others: it is in
/// [`failed`](Self::failed). Whoever needs all of it says so with [`complete`](Self::complete).
#[derive(Clone, Debug, Default)]
pub struct ServerResources {
    /// The groups, the core group first.
    pub groups: Vec<APIGroup>,
    /// The resources of each version, subresources among them, in the groups' order.
    pub lists: Vec<APIResourceList>,
    /// The versions that could not be asked for.
    pub failed: FailedGroups,
}

/// Not everything that is served could be asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartialDiscovery {
    /// What failed.
    pub failed: FailedGroups,
    /// What did not.
    pub found: Box<ServerResources>,
}

impl fmt::Display for PartialDiscovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unable to retrieve the complete list of server APIs: ")?;
        for (at, (version, error)) in self.failed.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{version}: {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PartialDiscovery {}

impl ServerResources {
    /// All of it, or an error that has what there is.
    pub fn complete(self) -> Result<Self, PartialDiscovery> {
        if self.failed.is_empty() {
            return Ok(self);
        }
        Err(PartialDiscovery { failed: self.failed.clone(), found: Box::new(self) })
    }

    /// Each resource once, in the version that its group prefers, else in the first listed one that has it. Subresources
    /// are left out, and so are versions of which nothing is left.
    #[must_use]
    pub fn preferred(&self) -> Self {
        let by_version: HashMap<&str, &APIResourceList> =
            self.lists.iter().map(|list| (list.group_version.as_str(), list)).collect();
        // By group and resource: the version that it is taken from.
        let mut chosen: HashMap<(&str, &str), &str> = HashMap::new();
        for group in &self.groups {
            for version in &group.versions {
                let Some(list) = by_version.get(version.group_version.as_str()) else { continue };
                for resource in list.resources.iter().filter(|resource| !is_subresource(resource)) {
                    let of = chosen.entry((&group.name, &resource.name)).or_insert(&version.group_version);
                    if version.version == group.preferred_version.version {
                        *of = &version.group_version;
                    }
                }
            }
        }
        let in_version = |group: &APIGroup, list: &APIResourceList| {
            let taken = |resource: &&APIResource| {
                let from = chosen.get(&(group.name.as_str(), resource.name.as_str()));
                !is_subresource(resource) && from == Some(&list.group_version.as_str())
            };
            list.resources.iter().filter(taken).cloned().collect::<List<_>>()
        };
        let mut lists = Vec::new();
        for group in &self.groups {
            for version in &group.versions {
                let Some(list) = by_version.get(version.group_version.as_str()) else { continue };
                let resources = in_version(group, list);
                if !resources.is_empty() {
                    lists.push(APIResourceList { group_version: list.group_version.clone(), resources });
                }
            }
        }
        Self { groups: self.groups.clone(), lists, failed: self.failed.clone() }
    }

    /// The resources whose objects live in namespaces.
    #[must_use]
    pub fn namespaced(&self) -> Self {
        self.filtered(|_, resource| resource.namespaced)
    }

    /// The resources that have all of these verbs.
    #[must_use]
    pub fn with_verbs(&self, verbs: &[&str]) -> Self {
        self.filtered(|_, resource| verbs.iter().all(|verb| resource.verbs.iter().any(|has| has == verb)))
    }

    /// The resources that `keep` says yes to. Versions of which nothing is left are left out.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&GroupVersion, &APIResource) -> bool) -> Self {
        let mut lists = Vec::new();
        for list in &self.lists {
            let Ok(version) = GroupVersion::parse(&list.group_version) else { continue };
            let kept = list.resources.iter().filter(|resource| keep(&version, resource));
            let resources: List<_> = kept.cloned().collect();
            if !resources.is_empty() {
                lists.push(APIResourceList { group_version: list.group_version.clone(), resources });
            }
        }
        Self { groups: self.groups.clone(), lists, failed: self.failed.clone() }
    }

    /// The resource or subresource of this name (`pods`, `pods/log`) in a version.
    pub fn find(&self, version: &GroupVersion, name: &str) -> Option<&APIResource> {
        let version = version.to_string();
        let list = self.lists.iter().find(|list| list.group_version == version)?;
        list.resources.iter().find(|resource| resource.name == name)
    }
}

/// `pods/log`, and not `pods`.
pub(crate) fn is_subresource(resource: &APIResource) -> bool {
    resource.name.contains('/')
}
