//! [`Resource`]: a kind that an API server serves under a path, with its plural name, scope and verbs.

use crate::{GroupVersionKind, GroupVersionResource, Object};

/// A kind that an API server serves, known at compile time.
///
/// Scope and verbs are types, so that a request that the server would refuse does not compile: a client's `watch`
/// requires [`verbs::Watch`], its `namespaced` requires [`Namespaced`].
pub trait Resource: Object {
    /// [`Namespaced`] or [`Cluster`].
    type Scope: Scope;
    /// The description of the resource in discovery.
    const INFO: &'static ResourceInfo;

    /// Returns the group, version and kind.
    fn gvk() -> GroupVersionKind {
        GroupVersionKind::new(Self::INFO.group, Self::INFO.version, Self::INFO.kind)
    }

    /// Returns the group, version and plural name.
    fn gvr() -> GroupVersionResource {
        GroupVersionResource::new(Self::INFO.group, Self::INFO.version, Self::INFO.plural)
    }
}

/// The scope of a resource: its objects are in namespaces, or cluster-scoped.
pub trait Scope: sealed::Sealed + 'static {
    /// Whether each object is in a namespace.
    const NAMESPACED: bool;
}

/// Each object is in a namespace.
#[derive(Clone, Copy, Debug)]
pub enum Namespaced {}

/// The objects are cluster-scoped.
#[derive(Clone, Copy, Debug)]
pub enum Cluster {}

impl Scope for Namespaced {
    const NAMESPACED: bool = true;
}

impl Scope for Cluster {
    const NAMESPACED: bool = false;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Namespaced {}
    impl Sealed for super::Cluster {}
}

/// The description of a resource in discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceInfo {
    /// The API group; `""` for the core group.
    pub group: &'static str,
    /// The version, such as `v1`.
    pub version: &'static str,
    /// The kind, such as `Pod`.
    pub kind: &'static str,
    /// The plural name in paths, such as `pods`.
    pub plural: &'static str,
    /// The singular name, such as `pod`.
    pub singular: &'static str,
    /// Whether each object is in a namespace.
    pub namespaced: bool,
    /// Short names, such as `po`.
    pub short_names: &'static [&'static str],
    /// Categories, such as `all`.
    pub categories: &'static [&'static str],
    /// Verbs, sorted.
    pub verbs: &'static [&'static str],
    /// Subresources, sorted by name.
    pub subresources: &'static [SubresourceInfo],
}

/// The description of a subresource in discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubresourceInfo {
    /// The name, such as `status`.
    pub name: &'static str,
    /// The group of the kind in its body.
    pub group: &'static str,
    /// The version of the kind in its body.
    pub version: &'static str,
    /// The kind in its body.
    pub kind: &'static str,
    /// Verbs, sorted.
    pub verbs: &'static [&'static str],
}

/// The verbs of a resource, one trait per verb.
pub mod verbs {
    use super::Resource;

    macro_rules! verbs {
        ($($(#[$doc:meta])* $name:ident: $refusal:literal,)*) => {$(
            $(#[$doc])*
            #[diagnostic::on_unimplemented(message = $refusal)]
            pub trait $name: Resource {}
        )*};
    }

    verbs! {
        /// One object can be read.
        Get: "the API server serves no `get` of `{Self}`",
        /// Many objects can be read.
        List: "the API server serves no `list` of `{Self}`",
        /// Changes can be followed.
        Watch: "the API server serves no `watch` of `{Self}`",
        /// An object can be created.
        Create: "the API server serves no `create` of `{Self}`",
        /// An object can be replaced.
        Update: "the API server serves no `update` of `{Self}`",
        /// An object can be patched or applied.
        Patch: "the API server serves no `patch` of `{Self}`",
        /// An object can be deleted.
        Delete: "the API server serves no `delete` of `{Self}`",
        /// Many objects can be deleted at once.
        DeleteCollection: "the API server serves no `deletecollection` of `{Self}`",
        /// The status can be read and written apart from the rest.
        Status: "`{Self}` has no subresource `status`",
        /// The number of replicas can be read and written without knowing the kind.
        Scale: "`{Self}` has no subresource `scale`",
    }
}

/// Implements verb traits for a resource.
#[macro_export]
macro_rules! verbs {
    ($name:ident: $($verb:ident),* $(,)?) => {
        $(impl $crate::verbs::$verb for $name {})*
    };
}
