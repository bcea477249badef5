//! Errors of a mapper.

use client_rs_machinery::{GroupKind, GroupVersionKind, GroupVersionResource, Str};

use super::super::DiscoveryError;

/// A name matches no resource, or more than one.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::discovery::{Discovery, DiscoveryClient, RestMapper};
/// # use client_rs_client::testing::Canned;
/// # let served = DiscoveryClient::from_rest(Canned::new().with_discovery().client()).server_resources().await?;
/// # let mapper = RestMapper::new(&served);
/// let error = mapper.find("unicorn").unwrap_err();
/// assert!(error.is_no_match());
/// assert_eq!(error.to_string(), r#"the server doesn't have a resource type "unicorn""#);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The resource was not found.
    #[error(
        "no matches for {0}: the server has no such resource; is its CustomResourceDefinition installed?"
    )]
    NoResource(GroupVersionResource),
    /// The kind was not found.
    #[error("no matches for kind {:?} in {}; is its CustomResourceDefinition installed?", .kind.kind, In(.kind, .versions))]
    NoKind {
        /// The kind.
        kind: GroupKind,
        /// The versions that were searched. Empty: all.
        versions: Vec<Str>,
    },
    /// The text is neither a resource nor a kind. The message is that of kubectl.
    #[error("the server doesn't have a resource type {0:?}")]
    NoType(Str),
    /// Several resources have this name, and none is preferred. Add the group and version.
    #[error("{wanted} matches multiple resources {}; name its group and version", Several(.matches))]
    AmbiguousResource {
        /// The name.
        wanted: GroupVersionResource,
        /// The candidates.
        matches: Vec<GroupVersionResource>,
    },
    /// Several kinds have this name, and none is preferred. Add the group and version.
    #[error("{wanted} matches multiple kinds {}; name its group and version", Several(.matches))]
    AmbiguousKind {
        /// The name.
        wanted: GroupVersionResource,
        /// The candidates.
        matches: Vec<GroupVersionKind>,
    },
    /// The name is empty.
    #[error("the name of a resource is empty")]
    Empty,
    /// Discovery failed.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
}

impl MapError {
    /// Whether nothing matches, as far as discovery could read.
    pub fn is_no_match(&self) -> bool {
        matches!(self, Self::NoResource(_) | Self::NoKind { .. } | Self::NoType(_))
    }

    /// Whether several match, and none is preferred.
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Self::AmbiguousResource { .. } | Self::AmbiguousKind { .. })
    }
}

struct In<'a>(&'a GroupKind, &'a [Str]);

impl std::fmt::Display for In<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(kind, versions) = self;
        if versions.is_empty() {
            return write!(f, "group {:?}", kind.group);
        }
        let mut versions: Vec<String> = versions
            .iter()
            .map(|version| kind.with_version(version.clone()).api_version().to_string())
            .collect();
        versions.sort();
        versions.dedup();
        match &versions[..] {
            [one] => write!(f, "version {one:?}"),
            several => write!(f, "versions {several:?}"),
        }
    }
}

struct Several<'a, T>(&'a [T]);

impl<T: std::fmt::Display> std::fmt::Display for Several<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, one) in self.0.iter().enumerate() {
            write!(f, "{}({one})", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
