//! A resource, and the kind that it has.

use client_rs_machinery::{GroupVersionKind, GroupVersionResource, List, Str};

/// A resource in one version: the kind of its objects, where they live, what can be asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What can be asked of it.
    pub verbs: List<Str>,
    /// Its subresources.
    pub subresources: Vec<MappedSubresource>,
}

/// A part of an object that has a path of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedSubresource {
    /// Its name, such as `status`.
    pub name: Str,
    /// The kind that it speaks; where the server does not say another group and version, the resource's.
    pub kind: GroupVersionKind,
    /// What can be asked of it.
    pub verbs: List<Str>,
}

impl RestMapping {
    /// Can this be asked of it?
    pub fn has_verb(&self, verb: &str) -> bool {
        self.verbs.iter().any(|has| has == verb)
    }

    /// A subresource by its name.
    pub fn subresource(&self, name: &str) -> Option<&MappedSubresource> {
        self.subresources.iter().find(|subresource| subresource.name == name)
    }
}
