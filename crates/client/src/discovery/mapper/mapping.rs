//! A resource and its kind.

use client_rs_machinery::{GroupVersionKind, GroupVersionResource, List, Str};

/// A resource in one version: the kind of its objects, its scope, its names and its verbs.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
/// # use client_rs_client::testing::Canned;
/// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
/// # let mapper = RestMapper::new(&served);
/// let deployments = mapper.find("deploy")?;
/// assert_eq!(deployments.kind.to_string(), "apps/v1, Kind=Deployment");
/// assert!(deployments.namespaced && deployments.has_verb("watch"));
/// assert_eq!(deployments.subresource("scale").unwrap().kind.group, "autoscaling");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RestMapping {
    /// Group, version and plural name.
    pub resource: GroupVersionResource,
    /// Group, version and kind of its objects.
    pub kind: GroupVersionKind,
    /// Whether each object is in a namespace.
    pub namespaced: bool,
    /// The singular name.
    pub singular: Str,
    /// Short names, such as `po`.
    pub short_names: List<Str>,
    /// Categories, such as `all`.
    pub categories: List<Str>,
    /// The verbs that it supports.
    pub verbs: List<Str>,
    /// Its subresources.
    pub subresources: Vec<MappedSubresource>,
}

/// A subresource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedSubresource {
    /// Its name, such as `status`.
    pub name: Str,
    /// The kind of its objects. Group and version are those of the resource, unless the server reports others.
    pub kind: GroupVersionKind,
    /// The verbs that it supports.
    pub verbs: List<Str>,
}

impl RestMapping {
    /// Whether the resource supports this verb.
    pub fn has_verb(&self, verb: &str) -> bool {
        self.verbs.iter().any(|has| has == verb)
    }

    /// The subresource with this name.
    pub fn subresource(&self, name: &str) -> Option<&MappedSubresource> {
        self.subresources.iter().find(|subresource| subresource.name == name)
    }
}
