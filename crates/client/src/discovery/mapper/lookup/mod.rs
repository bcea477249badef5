//! Lookups of resources by name, over discovery data.

use std::collections::HashMap;
use std::sync::Arc;

use client_rs_machinery::meta::v1::APIResource;
use client_rs_machinery::{
    GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, Str, parse_kind_arg,
    parse_resource_arg,
};

use super::super::ServerResources;
use super::super::data::is_subresource;
use super::{MapError, MappedSubresource, RestMapping};

/// Finds resources by kind, by full or partial name, and by the text that a user types. Plain data, no I/O.
///
/// For long-running programs use [`DeferredRestMapper`](super::DeferredRestMapper), which runs discovery again after a miss.
///
/// A partial name has an empty group or version. If several resources match, the core group's `v1` wins, then the group that the
/// server lists first, and in it the preferred version, then the other versions in order. Two resources with the same name in the same
/// version are ambiguous. A group that matches nothing is tried as a prefix: `deployments.app`.
///
/// The discovery data may be [partial](ServerResources::failed): the mapper does not find resources of the failed versions.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
///
/// # let rest = Canned::new().with_discovery().client();
/// let served = DiscoveryClient::from_rest(rest).server_resources().await?;
/// let mapper = RestMapper::new(&served);
/// for text in ["deploy", "deployment", "deployments.apps", "Deployment.v1.apps"] {
///     assert_eq!(mapper.find(text)?.kind.kind, "Deployment");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RestMapper {
    /// In order of preference.
    mappings: Vec<Arc<RestMapping>>,
    /// The rank of the version of each mapping. Mappings of the same version have the same rank.
    ranks: Vec<usize>,
    by_name: HashMap<Str, Vec<usize>>,
    by_kind: HashMap<GroupKind, Vec<usize>>,
    /// Short names in the order of the server, with their resources.
    pub(super) short_names: Vec<(GroupResource, GroupResource)>,
}

impl RestMapper {
    /// Builds a mapper from discovery data.
    pub fn new(served: &ServerResources) -> Self {
        let lists: HashMap<&str, _> =
            served.lists.iter().map(|list| (list.group_version.as_str(), &list.resources)).collect();
        let mut versions: Vec<GroupVersion> = Vec::new();
        for group in &served.groups {
            let preferred = &group.preferred_version;
            let others = group.versions.iter().filter(|version| version.version != preferred.version);
            // The preferred version first, if it exists.
            let listed = group.versions.iter().filter(|version| version.version == preferred.version);
            versions.extend(
                listed.chain(others).map(|v| GroupVersion::new(group.name.clone(), v.version.clone())),
            );
        }
        let core = GroupVersion::new("", "v1");
        // A stable sort: the others keep their order.
        versions.sort_by_key(|version| *version != core);
        let mut mapper = Self::default();
        for (rank, version) in versions.iter().enumerate() {
            if let Some(resources) = lists.get(version.to_string().as_str()) {
                for mapping in mappings_of(version, resources) {
                    mapper.add(mapping, rank);
                }
            }
        }
        // Short names have the order in which the server lists versions, regardless of the preferred versions.
        for list in &served.lists {
            let Ok(version) = GroupVersion::parse(&list.group_version) else { continue };
            for resource in &list.resources {
                let long = GroupResource::new(version.group.clone(), resource.name.clone());
                mapper.short_names.extend(
                    resource.short_names.iter().map(|short| {
                        (GroupResource::new(version.group.clone(), short.clone()), long.clone())
                    }),
                );
            }
        }
        mapper
    }

    fn add(&mut self, mapping: RestMapping, rank: usize) {
        let at = self.mappings.len();
        let mut names = vec![mapping.resource.resource.clone(), mapping.singular.clone()];
        names.dedup();
        for name in names {
            self.by_name.entry(name).or_default().push(at);
        }
        let kind = mapping.kind.group_kind();
        let lower = GroupKind::new(kind.group.clone(), kind.kind.to_lowercase());
        if lower != kind {
            self.by_kind.entry(lower).or_default().push(at);
        }
        self.by_kind.entry(kind).or_default().push(at);
        self.mappings.push(Arc::new(mapping));
        self.ranks.push(rank);
    }

    /// Every resource, the preferred versions first.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// let watchable: Vec<_> = mapper.mappings().filter(|mapping| mapping.has_verb("watch")).collect();
    /// assert_eq!(watchable[0].resource.resource, "pods");
    /// # Ok(())
    /// # }
    /// ```
    pub fn mappings(&self) -> impl Iterator<Item = &RestMapping> {
        self.mappings.iter().map(|mapping| &**mapping)
    }

    /// Every resource with this name, plural or singular and in any case, in order of preference. An empty group or version matches any.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// let all = mapper.resources_for(&GroupVersionResource::new("", "", "deployment"))?;
    /// let versions: Vec<_> = all.iter().map(|mapping| mapping.resource.version.as_str()).collect();
    /// assert_eq!(versions, ["v1", "v1beta1"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn resources_for(&self, partial: &GroupVersionResource) -> Result<Vec<Arc<RestMapping>>, MapError> {
        let found = self.matching(partial)?;
        Ok(found.into_iter().map(|at| self.mappings[at].clone()).collect())
    }

    /// The preferred resource with this name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// let nodes = mapper.resource_for(&GroupVersionResource::new("", "", "Nodes"))?;
    /// assert!(!nodes.namespaced);
    /// # Ok(())
    /// # }
    /// ```
    pub fn resource_for(&self, partial: &GroupVersionResource) -> Result<Arc<RestMapping>, MapError> {
        let found = self.matching(partial)?;
        self.best(&found).ok_or_else(|| MapError::AmbiguousResource {
            wanted: partial.clone(),
            matches: found.iter().map(|at| self.mappings[*at].resource.clone()).collect(),
        })
    }

    /// Every kind of a resource with this name, in order of preference.
    pub fn kinds_for(&self, partial: &GroupVersionResource) -> Result<Vec<GroupVersionKind>, MapError> {
        let mut kinds: Vec<GroupVersionKind> = Vec::new();
        for at in self.matching(partial)? {
            let kind = &self.mappings[at].kind;
            if !kinds.contains(kind) {
                kinds.push(kind.clone());
            }
        }
        Ok(kinds)
    }

    /// The preferred kind of a resource with this name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// let kind = mapper.kind_for(&GroupVersionResource::new("", "", "services"))?;
    /// assert_eq!(kind.to_string(), "/v1, Kind=Service");
    /// # Ok(())
    /// # }
    /// ```
    pub fn kind_for(&self, partial: &GroupVersionResource) -> Result<GroupVersionKind, MapError> {
        let found = self.matching(partial)?;
        match self.best(&found) {
            Some(mapping) => Ok(mapping.kind.clone()),
            None => Err(MapError::AmbiguousKind {
                wanted: partial.clone(),
                matches: found.iter().map(|at| self.mappings[*at].kind.clone()).collect(),
            }),
        }
    }

    /// The resource of a kind, in the first of these versions that has it. Without versions: in the preferred one. The kind may also be
    /// in lower case.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupKind;
    ///
    /// let kind = GroupKind::new("apps", "Deployment");
    /// assert_eq!(mapper.mapping(&kind, &[])?.resource.version, "v1");
    /// assert_eq!(mapper.mapping(&kind, &["v9", "v1beta1"])?.resource.version, "v1beta1");
    /// # Ok(())
    /// # }
    /// ```
    pub fn mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<Arc<RestMapping>, MapError> {
        let all = self.by_kind.get(kind).map(Vec::as_slice).unwrap_or_default();
        let versions: Vec<&str> = versions.iter().copied().filter(|version| !version.is_empty()).collect();
        let found: Vec<usize> = if versions.is_empty() {
            all.to_vec()
        } else {
            let of = |version: &&str| {
                let has = |at: &&usize| self.mappings[**at].kind.version == **version;
                all.iter().filter(has).copied().collect::<Vec<_>>()
            };
            versions.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
        };
        if found.is_empty() {
            let versions = versions.iter().map(|version| Str::from(*version)).collect();
            return Err(MapError::NoKind { kind: kind.clone(), versions });
        }
        self.best(&found).ok_or_else(|| MapError::AmbiguousResource {
            wanted: GroupVersionResource::new(kind.group.clone(), "", kind.kind.clone()),
            matches: found.iter().map(|at| self.mappings[*at].resource.clone()).collect(),
        })
    }

    /// The resource of every version that has this kind, in order of preference.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupKind;
    ///
    /// assert_eq!(mapper.mappings_of_kind(&GroupKind::new("apps", "Deployment")).len(), 2);
    /// assert!(mapper.mappings_of_kind(&GroupKind::new("", "Deployment")).is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn mappings_of_kind(&self, kind: &GroupKind) -> Vec<Arc<RestMapping>> {
        let all = self.by_kind.get(kind).map(Vec::as_slice).unwrap_or_default();
        all.iter().map(|at| self.mappings[*at].clone()).collect()
    }

    /// The resource with exactly this group, version and plural name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// assert!(mapper.exact(&GroupVersionResource::new("apps", "v1beta1", "deployments")).is_some());
    /// assert!(mapper.exact(&GroupVersionResource::new("", "v1", "pod")).is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn exact(&self, resource: &GroupVersionResource) -> Option<Arc<RestMapping>> {
        let named = self.by_name.get(&resource.resource)?;
        named.iter().map(|at| &self.mappings[*at]).find(|mapping| mapping.resource == *resource).cloned()
    }

    /// Finds a resource by the text that a user types: `deploy`, `deployment`, `deployments.apps`, `deployments.v1.apps`,
    /// `Deployment.v1.apps`. The rules are those of kubectl.
    ///
    /// A resource wins over a kind. A reading with a version wins over one where that part belongs to the name of the group.
    ///
    /// # Errors
    ///
    /// [`MapError::NoType`] if nothing matches, [`MapError::AmbiguousResource`] if several resources match.
    pub fn find(&self, text: &str) -> Result<Arc<RestMapping>, MapError> {
        if text.is_empty() {
            return Err(MapError::Empty);
        }
        let (full, any) = parse_resource_arg(text);
        let readings = full.into_iter().chain([any.with_version("")]);
        for reading in readings.filter(|reading| !reading.resource.is_empty()) {
            match self.resource_for(&self.expand(&reading).resource) {
                Ok(mapping) => return Ok(mapping),
                Err(error) if error.is_ambiguous() => return Err(error),
                Err(_) => {}
            }
        }
        let (full, group_kind) = parse_kind_arg(text);
        let of_full = full.map(|full| self.mapping(&full.group_kind(), &[&full.version]));
        match of_full {
            Some(Ok(mapping)) => return Ok(mapping),
            Some(Err(error)) if error.is_ambiguous() => return Err(error),
            _ => {}
        }
        match self.mapping(&group_kind, &[]) {
            Err(error) if error.is_no_match() => Err(MapError::NoType(any.resource)),
            other => other,
        }
    }

    /// The singular name of a resource. All versions that have it must agree.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// assert_eq!(mapper.singular("configmaps")?, "configmap");
    /// # Ok(())
    /// # }
    /// ```
    pub fn singular(&self, resource: &str) -> Result<Str, MapError> {
        let wanted = GroupVersionResource::new("", "", resource);
        let found = self.matching(&wanted)?;
        let first = self.mappings[found[0]].singular.clone();
        if found.iter().all(|at| self.mappings[*at].singular == first) {
            return Ok(first);
        }
        let matches = found.iter().map(|at| self.mappings[*at].resource.clone()).collect();
        Err(MapError::AmbiguousResource { wanted, matches })
    }

    /// The resources of a category such as `all`, each once. Empty if the category does not exist.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
    /// # use client_rs_client::testing::Canned;
    /// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
    /// # let mapper = RestMapper::new(&served);
    /// let all: Vec<_> = mapper.category("all").iter().map(ToString::to_string).collect();
    /// assert_eq!(all, ["pods", "services", "configmaps", "deployments.apps"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn category(&self, category: &str) -> Vec<GroupResource> {
        let mut members = Vec::new();
        for mapping in &self.mappings {
            let member = mapping.resource.group_resource();
            if mapping.categories.iter().any(|has| has == category) && !members.contains(&member) {
                members.push(member);
            }
        }
        members
    }

    /// The resources with this name, in order of preference. Never empty.
    fn matching(&self, partial: &GroupVersionResource) -> Result<Vec<usize>, MapError> {
        if partial.resource.is_empty() {
            return Err(MapError::Empty);
        }
        let name = partial.resource.to_lowercase();
        let named = self.by_name.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let group = partial.group.as_str();
        let of_version = |at: &&usize| {
            partial.version.is_empty() || self.mappings[**at].resource.version == partial.version
        };
        let of_group = |matches: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let fits = |at: &&usize| group.is_empty() || matches(&self.mappings[**at].resource.group);
            named.iter().filter(of_version).filter(fits).copied().collect()
        };
        let mut found = of_group(&|has| has == group);
        if found.is_empty() && partial.version.is_empty() {
            found = of_group(&|has| has.starts_with(group));
        }
        if found.is_empty() {
            return Err(MapError::NoResource(partial.clone()));
        }
        Ok(found)
    }

    /// The preferred one, if it is unique.
    fn best(&self, found: &[usize]) -> Option<Arc<RestMapping>> {
        // The candidates are in order of preference.
        match found {
            [first, second, ..] if self.ranks[*first] == self.ranks[*second] => None,
            [first, ..] => Some(self.mappings[*first].clone()),
            [] => None,
        }
    }
}

/// The resources of one version.
fn mappings_of(version: &GroupVersion, resources: &[APIResource]) -> Vec<RestMapping> {
    let or = |own: &Str, else_: &Str| if own.is_empty() { else_.clone() } else { own.clone() };
    let mut subresources: HashMap<&str, Vec<MappedSubresource>> = HashMap::new();
    for resource in resources {
        let Some((parent, name)) = resource.name.split_once('/') else { continue };
        let kind = GroupVersionKind {
            // The core group has an empty name too, so only the version shows whether the server reports a kind.
            group: if resource.version.is_empty() { version.group.clone() } else { resource.group.clone() },
            version: or(&resource.version, &version.version),
            kind: resource.kind.clone(),
        };
        let verbs = resource.verbs.0.clone();
        subresources.entry(parent).or_default().push(MappedSubresource { name: name.into(), kind, verbs });
    }
    let own = resources.iter().filter(|resource| !is_subresource(resource));
    own.map(|resource| RestMapping {
        resource: version.with_resource(resource.name.clone()),
        kind: version.with_kind(resource.kind.clone()),
        namespaced: resource.namespaced,
        // Old servers do not report it.
        singular: or(&resource.singular_name, &resource.kind.to_lowercase().into()),
        short_names: resource.short_names.clone(),
        categories: resource.categories.clone(),
        verbs: resource.verbs.0.clone(),
        subresources: subresources.remove(resource.name.as_str()).unwrap_or_default(),
    })
    .collect()
}

#[cfg(test)]
pub(super) mod tests;
