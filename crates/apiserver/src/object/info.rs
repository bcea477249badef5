//! Discovery data of a resource. It is owned, because resources can appear and disappear while the server runs.

use client_rs_machinery::{ResourceInfo, Str};

/// The discovery data of one version of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Info {
    /// The group; empty for the core group.
    pub(crate) group: Str,
    pub(crate) version: Str,
    pub(crate) kind: Str,
    /// The kind of a list.
    pub(crate) list_kind: Str,
    pub(crate) plural: Str,
    pub(crate) singular: Str,
    pub(crate) namespaced: bool,
    pub(crate) short_names: Vec<Str>,
    pub(crate) categories: Vec<Str>,
    /// The verbs, in the order of discovery.
    pub(crate) verbs: &'static [&'static str],
    pub(crate) subresources: Vec<SubInfo>,
}

/// The discovery data of a subresource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SubInfo {
    pub(crate) name: &'static str,
    /// The group, version and kind of its objects.
    pub(crate) group: Str,
    pub(crate) version: Str,
    pub(crate) kind: Str,
    pub(crate) verbs: &'static [&'static str],
}

impl Info {
    /// The `apiVersion`.
    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

impl From<&ResourceInfo> for Info {
    fn from(info: &ResourceInfo) -> Self {
        let texts = |all: &[&'static str]| all.iter().copied().map(Str::from).collect();
        Self {
            group: info.group.into(),
            version: info.version.into(),
            kind: info.kind.into(),
            list_kind: format!("{}List", info.kind).into(),
            plural: info.plural.into(),
            singular: info.singular.into(),
            namespaced: info.namespaced,
            short_names: texts(info.short_names),
            categories: texts(info.categories),
            verbs: info.verbs,
            subresources: info
                .subresources
                .iter()
                .map(|sub| SubInfo {
                    name: sub.name,
                    group: sub.group.into(),
                    version: sub.version.into(),
                    kind: sub.kind.into(),
                    verbs: sub.verbs,
                })
                .collect(),
        }
    }
}
