//! Why a name leads to no resource.

use client_rs_machinery::{GroupKind, GroupVersionKind, GroupVersionResource, Str};

use super::super::DiscoveryError;

/// A name that leads to no resource, or to more than one.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// There is no such resource.
    #[error(
        "no matches for {0}: the server has no such resource; is its CustomResourceDefinition installed?"
    )]
    NoResource(GroupVersionResource),
    /// There is no such kind.
    #[error("no matches for kind {:?} in {}; is its CustomResourceDefinition installed?", .kind.kind, In(.kind, .versions))]
    NoKind {
        /// The kind that was asked for.
        kind: GroupKind,
        /// The versions that it was asked for in; none: any.
        versions: Vec<Str>,
    },
    /// What kubectl says of a word that is neither a resource nor a kind.
    #[error("the server doesn't have a resource type {0:?}")]
    NoType(Str),
    /// Several resources go by that name, and none is preferred; say group and version.
    #[error("{wanted} matches multiple resources {}; name its group and version", Several(.matches))]
    AmbiguousResource {
        /// What was asked for.
        wanted: GroupVersionResource,
        /// What it could be.
        matches: Vec<GroupVersionResource>,
    },
    /// Several kinds go by that name, and none is preferred; say group and version.
    #[error("{wanted} matches multiple kinds {}; name its group and version", Several(.matches))]
    AmbiguousKind {
        /// What was asked for.
        wanted: GroupVersionResource,
        /// What it could be.
        matches: Vec<GroupVersionKind>,
    },
    /// A resource was to be named, and the name is empty.
    #[error("the name of a resource is empty")]
    Empty,
    /// The server could not be asked what it serves.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
}

impl MapError {
    /// There is no such thing, as far as is known.
    pub fn is_no_match(&self) -> bool {
        matches!(self, Self::NoResource(_) | Self::NoKind { .. } | Self::NoType(_))
    }

    /// There are several, and none is preferred.
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
