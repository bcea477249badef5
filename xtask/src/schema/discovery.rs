//! The resources that a server serves, with their verbs, scope, names and subresources.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::model::Gvk;
use super::server::Server;

/// Every group that the pinned server serves with every API enabled.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Discovery {
    /// The server's version.
    pub(crate) server: String,
    /// Sorted by name; the core group, whose name is empty, first.
    pub(crate) groups: Vec<Group>,
}

/// An API group.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Group {
    pub(crate) name: String,
    /// In the server's order, the preferred one first.
    pub(crate) versions: Vec<Version>,
}

/// A version of a group.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Version {
    pub(crate) version: String,
    /// Sorted by name.
    pub(crate) resources: Vec<Resource>,
}

/// A resource, of its group version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Resource {
    /// The plural name, as URLs have it.
    pub(crate) name: String,
    pub(crate) singular: String,
    pub(crate) kind: String,
    pub(crate) namespaced: bool,
    /// Sorted.
    pub(crate) verbs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) short_names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) categories: Vec<String>,
    /// Whether a delete call answers with the object that was deleted, not with a `Status`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) returns_deleted: bool,
    /// Sorted by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) subresources: Vec<Subresource>,
}

/// A subresource of a resource.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Subresource {
    pub(crate) name: String,
    /// The kind that it speaks; its group and version where they are not the resource's.
    pub(crate) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    /// Sorted.
    pub(crate) verbs: Vec<String>,
}

impl Discovery {
    /// Reads a server's discovery; `returning_deleted` is what its `OpenAPI` says.
    pub(crate) fn fetch(server: &Server, returning_deleted: &[Gvk]) -> Result<Self> {
        let info: Info = server.get("/version")?;
        let core: ApiVersions = server.get("/api")?;
        let versions = core.versions.into_iter().map(|version| ApiVersion { version }).collect();
        let mut groups = vec![ApiGroup { name: String::new(), versions }];
        groups.extend(server.get::<ApiGroupList>("/apis")?.groups);
        groups.sort_by(|a, b| a.name.cmp(&b.name));
        let groups = groups.into_iter().map(|group| group.fetch(server, returning_deleted));
        Ok(Self { server: info.git_version, groups: groups.collect::<Result<_>>()? })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    git_version: String,
}

#[derive(Deserialize)]
struct ApiVersions {
    versions: Vec<String>,
}

#[derive(Deserialize)]
struct ApiGroupList {
    groups: Vec<ApiGroup>,
}

#[derive(Deserialize)]
struct ApiGroup {
    name: String,
    versions: Vec<ApiVersion>,
}

#[derive(Deserialize)]
struct ApiVersion {
    version: String,
}

#[derive(Deserialize)]
struct ApiResourceList {
    resources: Vec<ApiResource>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiResource {
    name: String,
    singular_name: String,
    namespaced: bool,
    group: Option<String>,
    version: Option<String>,
    kind: String,
    verbs: Vec<String>,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
}

impl ApiGroup {
    fn fetch(self, server: &Server, returning_deleted: &[Gvk]) -> Result<Group> {
        let mut versions = Vec::new();
        for ApiVersion { version } in self.versions {
            let path = if self.name.is_empty() {
                format!("/api/{version}")
            } else {
                format!("/apis/{}/{version}", self.name)
            };
            let list: ApiResourceList = server.get(&path)?;
            let resources = list.resources(&self.name, &version, returning_deleted).context(path)?;
            versions.push(Version { version, resources });
        }
        Ok(Group { name: self.name, versions })
    }
}

impl ApiResourceList {
    /// The resources with their subresources under them, as the server lists them side by side.
    fn resources(mut self, group: &str, version: &str, returning_deleted: &[Gvk]) -> Result<Vec<Resource>> {
        // A resource is listed before its subresources when sorted: its name is the beginning of theirs.
        self.resources.sort_by(|a, b| a.name.cmp(&b.name));
        let mut resources: Vec<Resource> = Vec::new();
        for mut listed in self.resources {
            listed.verbs.sort();
            if let Some((owner, name)) = listed.name.split_once('/') {
                let owner = resources.iter_mut().find(|resource| resource.name == owner);
                owner.with_context(|| format!("{} has no owner", listed.name))?.subresources.push(
                    Subresource {
                        name: name.to_owned(),
                        kind: listed.kind,
                        group: listed.group.filter(|other| other != group),
                        version: listed.version.filter(|other| other != version),
                        verbs: listed.verbs,
                    },
                );
                continue;
            }
            let own = listed.group.is_none_or(|other| other == group);
            ensure!(own, "{} is of another group", listed.name);
            let kind = Gvk { group: group.to_owned(), version: version.to_owned(), kind: listed.kind };
            resources.push(Resource {
                name: listed.name,
                singular: listed.singular_name,
                namespaced: listed.namespaced,
                verbs: listed.verbs,
                short_names: listed.short_names,
                categories: listed.categories,
                returns_deleted: returning_deleted.contains(&kind),
                kind: kind.kind,
                subresources: Vec::new(),
            });
        }
        Ok(resources)
    }
}
