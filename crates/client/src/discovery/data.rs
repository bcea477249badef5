//! Discovery results, as plain data.

use std::collections::HashMap;
use std::fmt;

use client_rs_machinery::meta::v1::{APIGroup, APIResource, APIResourceList};
use client_rs_machinery::{GroupVersion, List, Str, collections::VecMap};

use super::DiscoveryError;

/// The versions that could not be read, with the reasons.
pub type FailedGroups = VecMap<GroupVersion, DiscoveryError>;

/// The groups of a server and, if the same response has them, their resources.
///
/// ```
/// # use client_rs_machinery::meta::v1::{APIGroup, GroupVersionForDiscovery};
/// use client_rs_client::discovery::ServerGroups;
/// use client_rs_machinery::GroupVersion;
///
/// # let version = GroupVersionForDiscovery { group_version: "batch/v1".into(), version: "v1".into() };
/// # let batch = APIGroup { name: "batch".into(), versions: [version].into(), ..APIGroup::EMPTY };
/// let served = ServerGroups { groups: vec![batch], ..ServerGroups::default() };
/// assert!(served.supports_version(&GroupVersion::new("batch", "v1")));
/// assert!(!served.supports_version(&GroupVersion::new("batch", "v2alpha1")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServerGroups {
    /// The groups, the core group first.
    pub groups: Vec<APIGroup>,
    /// The resources of every version, in the order of the groups. `None` if each version needs a request of its own.
    pub resources: Option<Vec<APIResourceList>>,
    /// The versions whose data on the server is stale.
    pub failed: FailedGroups,
}

impl ServerGroups {
    /// Every version of every group, in the format of `apiVersion`, in the order of the server.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::testing::Canned;
    /// use client_rs_client::discovery::{Discovery, DiscoveryClient};
    ///
    /// # let rest = Canned::new().with_discovery().client();
    /// let groups = DiscoveryClient::from_rest(rest).groups().await?;
    /// assert_eq!(groups.versions().collect::<Vec<_>>(), ["v1", "apps/v1", "apps/v1beta1"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn versions(&self) -> impl Iterator<Item = &Str> {
        self.groups.iter().flat_map(|group| &group.versions).map(|version| &version.group_version)
    }

    /// Whether the server serves this version. True if the server reports no version at all.
    pub fn supports_version(&self, required: &GroupVersion) -> bool {
        let required = required.to_string();
        let mut any = false;
        let found = self.versions().inspect(|_| any = true).any(|version| *version == required);
        found || !any
    }
}

/// All resources of a server, as far as they could be read.
///
/// A version that fails, such as that of an aggregated API server that is down, does not affect the others: it is in
/// [`failed`](Self::failed). Callers that need everything use [`complete`](Self::complete).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
/// # use client_rs_client::testing::Canned;
/// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
/// // The resources that can be listed and that live in namespaces: the start of a backup tool.
/// let listable = served.preferred().namespaced().with_verbs(&["list"]);
/// let names: Vec<_> = listable.lists.iter().flat_map(|list| &list.resources).map(|r| r.name.as_str()).collect();
/// assert_eq!(names, ["pods", "services", "configmaps", "deployments"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServerResources {
    /// The groups, the core group first.
    pub groups: Vec<APIGroup>,
    /// The resources and subresources of each version, in the order of the groups.
    pub lists: Vec<APIResourceList>,
    /// The versions that could not be read.
    pub failed: FailedGroups,
}

/// Some versions could not be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartialDiscovery {
    /// The versions that failed.
    pub failed: FailedGroups,
    /// The resources of the other versions.
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
    /// Returns the resources, or an error if a version failed. The error has the resources of the others.
    ///
    /// ```
    /// use client_rs_client::discovery::{DiscoveryError, ServerResources};
    /// use client_rs_machinery::GroupVersion;
    ///
    /// let metrics = GroupVersion::new("metrics.k8s.io", "v1beta1");
    /// let mut served = ServerResources::default();
    /// served.failed.insert(metrics.clone(), DiscoveryError::Stale(metrics));
    /// let error = served.complete().unwrap_err();
    /// assert!(error.to_string().contains("metrics.k8s.io/v1beta1"));
    /// ```
    pub fn complete(self) -> Result<Self, PartialDiscovery> {
        if self.failed.is_empty() {
            return Ok(self);
        }
        Err(PartialDiscovery { failed: self.failed.clone(), found: Box::new(self) })
    }

    /// Returns each resource once: in the preferred version of its group, otherwise in the first version that has it. Subresources and
    /// empty versions are dropped.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// assert_eq!(served.lists.len(), 3);
    /// let preferred = served.preferred();
    /// assert_eq!(preferred.lists.last().unwrap().group_version, "apps/v1");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn preferred(&self) -> Self {
        let by_version: HashMap<&str, &APIResourceList> =
            self.lists.iter().map(|list| (list.group_version.as_str(), list)).collect();
        // The chosen version of each group and resource.
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

    /// Returns the namespaced resources.
    #[must_use]
    pub fn namespaced(&self) -> Self {
        self.filtered(|_, resource| resource.namespaced)
    }

    /// Returns the resources that support all of these verbs.
    #[must_use]
    pub fn with_verbs(&self, verbs: &[&str]) -> Self {
        self.filtered(|_, resource| verbs.iter().all(|verb| resource.verbs.iter().any(|has| has == verb)))
    }

    /// Returns the resources for which `keep` returns true. Empty versions are dropped.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// let core = served.filtered(|version, _| version.group.is_empty());
    /// assert_eq!(core.lists.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
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

    /// Returns the resource or subresource with this name (`pods`, `pods/log`) in a version.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// use client_rs_machinery::GroupVersion;
    ///
    /// let nodes = served.find(&GroupVersion::new("", "v1"), "nodes").unwrap();
    /// assert!(!nodes.namespaced);
    /// assert!(served.find(&GroupVersion::new("apps", "v1"), "nodes").is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn find(&self, version: &GroupVersion, name: &str) -> Option<&APIResource> {
        let version = version.to_string();
        let list = self.lists.iter().find(|list| list.group_version == version)?;
        list.resources.iter().find(|resource| resource.name == name)
    }
}

/// Whether it is a subresource: `pods/log`, but not `pods`.
pub(crate) fn is_subresource(resource: &APIResource) -> bool {
    resource.name.contains('/')
}
