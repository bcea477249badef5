//! Aggregated discovery: groups, versions and resources in one document.

use client_rs_machinery::meta::v1::{APIGroup, APIResource, APIResourceList, GroupVersionForDiscovery};
use client_rs_machinery::{GroupVersion, List, Str, StringList};
use serde::Deserialize;

use super::{DiscoveryError, FailedGroups, ServerGroups};

const GROUP: &str = "apidiscovery.k8s.io";
const KIND: &str = "APIGroupDiscoveryList";
/// The versions of the document, which have the same format. The newer one is preferred.
const VERSIONS: [&str; 2] = ["v2", "v2beta1"];

/// The `Accept` header: aggregated discovery if the server supports it, otherwise plain discovery.
pub(super) fn accept(legacy: bool, no_peer: bool) -> String {
    let mut types = Vec::new();
    if !legacy {
        if no_peer {
            types.push(format!("application/json;g={GROUP};v={};as={KIND};profile=nopeer", VERSIONS[0]));
        }
        types.extend(VERSIONS.map(|version| format!("application/json;g={GROUP};v={version};as={KIND}")));
    }
    types.push("application/json".to_owned());
    types.join(",")
}

/// Whether the media type is that of aggregated discovery. Its parameters can have any order, and others may be between them.
pub(super) fn is_aggregated(content_type: &str) -> bool {
    let mut parts = content_type.split(';');
    let essence = parts.next().unwrap_or_default().trim();
    let params: Vec<(String, String)> = parts
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned()))
        .collect();
    let is = |name: &str, wanted: &[&str]| {
        params.iter().any(|(has, value)| has == name && wanted.contains(&value.as_str()))
    };
    essence.eq_ignore_ascii_case("application/json")
        && is("g", &[GROUP])
        && is("v", &VERSIONS)
        && is("as", &[KIND])
}

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    items: Option<Vec<Group>>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    versions: Option<Vec<Version>>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    name: Str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names, reason = "the wire\'s names")]
struct Version {
    #[serde(default)]
    version: Str,
    #[serde(default)]
    freshness: Str,
    #[serde(default)]
    resources: Option<Vec<Resource>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names, reason = "the wire\'s names")]
struct Resource {
    #[serde(default)]
    resource: Str,
    #[serde(default)]
    response_kind: Option<Kind>,
    #[serde(default)]
    scope: Str,
    #[serde(default)]
    singular_resource: Str,
    #[serde(default)]
    verbs: Option<Vec<Str>>,
    #[serde(default)]
    short_names: Option<Vec<Str>>,
    #[serde(default)]
    categories: Option<Vec<Str>>,
    #[serde(default)]
    subresources: Option<Vec<Subresource>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names, reason = "the wire\'s names")]
struct Subresource {
    #[serde(default)]
    subresource: Str,
    #[serde(default)]
    response_kind: Option<Kind>,
    #[serde(default)]
    verbs: Option<Vec<Str>>,
}

#[derive(Deserialize)]
#[allow(clippy::struct_field_names, reason = "the wire\'s names")]
struct Kind {
    #[serde(default)]
    group: Str,
    #[serde(default)]
    version: Str,
    #[serde(default)]
    kind: Str,
}

/// Converts the aggregated document to the format of plain discovery.
pub(super) fn parse(body: &[u8]) -> Result<ServerGroups, serde_json::Error> {
    let document: Document = serde_json::from_slice(body)?;
    let (mut groups, mut lists, mut failed) = (Vec::new(), Vec::new(), FailedGroups::new());
    for group in document.items.unwrap_or_default() {
        groups.push(convert_group(group, &mut lists, &mut failed));
    }
    Ok(ServerGroups { groups, resources: Some(lists), failed })
}

fn convert_group(group: Group, lists: &mut Vec<APIResourceList>, failed: &mut FailedGroups) -> APIGroup {
    let name = group.metadata.name;
    let mut versions: Vec<GroupVersionForDiscovery> = Vec::new();
    for version in group.versions.unwrap_or_default() {
        let group_version = GroupVersion::new(name.clone(), version.version.clone());
        if version.freshness == "Stale" {
            failed.insert(group_version.clone(), DiscoveryError::Stale(group_version));
            continue;
        }
        let text = Str::from(group_version.to_string());
        versions.push(GroupVersionForDiscovery { group_version: text.clone(), version: version.version });
        let resources = version.resources.unwrap_or_default();
        let resources: List<_> = resources.into_iter().flat_map(convert_resource).collect();
        lists.push(APIResourceList { group_version: text, resources });
    }
    let preferred_version = versions.first().cloned().unwrap_or_default();
    APIGroup { name, versions: versions.into(), preferred_version, ..APIGroup::EMPTY }
}

/// Converts a resource and its subresources. A resource without a kind is dropped; its subresources are kept.
fn convert_resource(resource: Resource) -> Vec<APIResource> {
    let list = |texts: Option<Vec<Str>>| texts.unwrap_or_default().into_iter().collect::<List<Str>>();
    let parent = APIResource {
        name: resource.resource,
        singular_name: resource.singular_resource,
        namespaced: resource.scope == "Namespaced",
        verbs: StringList(list(resource.verbs)),
        short_names: list(resource.short_names),
        categories: list(resource.categories),
        ..APIResource::EMPTY
    };
    let of_kind = |resource: APIResource, kind: Option<Kind>| {
        let Kind { group, version, kind } = kind?;
        let named = !(group.is_empty() && version.is_empty() && kind.is_empty());
        named.then_some(APIResource { group, version, kind, ..resource })
    };
    let subresources = resource.subresources.unwrap_or_default().into_iter().filter_map(|sub| {
        let child = APIResource {
            name: format!("{}/{}", parent.name, sub.subresource).into(),
            singular_name: parent.singular_name.clone(),
            namespaced: parent.namespaced,
            verbs: StringList(list(sub.verbs)),
            ..APIResource::EMPTY
        };
        of_kind(child, sub.response_kind)
    });
    let subresources: Vec<_> = subresources.collect();
    of_kind(parent, resource.response_kind).into_iter().chain(subresources).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t5_1_12_only_the_right_media_type_is_aggregated_discovery() {
        for (content_type, expected) in [
            ("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", true),
            ("application/json; as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io", true),
            ("application/json; as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io;charset=utf-8", true),
            ("application/json; as=\"APIGroupDiscoveryList\";v=v2;g=apidiscovery.k8s.io", true),
            ("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", true),
            ("application/json;g=apidiscovery.k8s.io;v=v1;as=APIGroupDiscoveryList", false),
            ("application/json;g=other.k8s.io;v=v2;as=APIGroupDiscoveryList", false),
            ("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupList", false),
            ("application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", false),
            ("application/json;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList", false),
            ("application/json", false),
            ("application/json; charset=UTF-8", false),
            ("", false),
            (";;;==", false),
        ] {
            assert_eq!(is_aggregated(content_type), expected, "{content_type}");
        }
    }

    #[test]
    fn t5_1_14_conversion_of_resources_and_stale_versions() {
        let document = br#"{"kind": "APIGroupDiscoveryList", "items": [
            {"metadata": {"name": "apps"}, "versions": [
                {"version": "v1beta1", "freshness": "Stale", "resources": [{"resource": "gone"}]},
                {"version": "v1", "freshness": "Current", "resources": [
                    {"resource": "deployments", "scope": "Namespaced", "singularResource": "deployment",
                     "responseKind": {"group": "apps", "version": "v1", "kind": "Deployment"},
                     "shortNames": ["deploy"], "categories": ["all"], "verbs": ["get", "list"],
                     "subresources": [
                        {"subresource": "scale", "verbs": ["get"],
                         "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}},
                        {"subresource": "nameless", "verbs": ["get"]}]},
                    {"resource": "kindless", "scope": "Cluster", "singularResource": "kindless", "verbs": null,
                     "subresources": [{"subresource": "status", "verbs": ["get"],
                         "responseKind": {"group": "", "version": "v1", "kind": "Thing"}}]},
                    {"resource": "empty", "responseKind": {"group": "", "version": "", "kind": ""}}]},
                {"version": "v2", "resources": null}]},
            {"metadata": {"name": "bare"}},
            {"metadata": {"name": "stale"}, "versions": [{"version": "v1", "freshness": "Stale"}]}]}"#;
        let read = parse(document).unwrap();
        let failed: Vec<_> = read.failed.iter().map(|(gv, error)| format!("{gv}: {error}")).collect();
        assert_eq!(
            failed,
            [
                "apps/v1beta1: stale GroupVersion discovery: apps/v1beta1",
                "stale/v1: stale GroupVersion discovery: stale/v1"
            ]
        );
        let groups: Vec<_> = read
            .groups
            .iter()
            .map(|group| {
                let versions: Vec<_> =
                    group.versions.iter().map(|version| version.version.as_str()).collect();
                (group.name.as_str(), group.preferred_version.group_version.as_str(), versions.join(" "))
            })
            .collect();
        assert_eq!(
            groups,
            [
                ("apps", "apps/v1", "v1 v2".to_owned()),
                ("bare", "", String::new()),
                ("stale", "", String::new())
            ]
        );
        let lists = read.resources.unwrap();
        let names = |at: usize| -> Vec<String> {
            lists[at].resources.iter().map(|r| format!("{} {} {}", r.name, r.kind, r.namespaced)).collect()
        };
        assert_eq!(lists.len(), 2);
        assert_eq!(
            names(0),
            ["deployments Deployment true", "deployments/scale Scale true", "kindless/status Thing false"]
        );
        let scale = &lists[0].resources[1];
        assert_eq!((scale.singular_name.as_str(), scale.group.as_str()), ("deployment", "autoscaling"));
        assert!(scale.short_names.is_empty() && scale.categories.is_empty());
        assert_eq!((lists[1].group_version.as_str(), names(1).len()), ("apps/v2", 0));
    }

    #[test]
    fn a_malformed_document_is_an_error() {
        for text in ["", "[", "{\"items\": 3}", "{\"items\": [{\"versions\": {}}]}"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"{}").unwrap().groups.is_empty());
    }

    proptest::proptest! {
        #[test]
        fn it_never_panics(bytes in "[{}\\[\\]:,\"a1 ]{0,24}", media in "[a-z/;=\"]{0,24}") {
            let _ = parse(bytes.as_bytes());
            let _ = is_aggregated(&media);
        }
    }
}
