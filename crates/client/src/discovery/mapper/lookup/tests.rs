//! Lookups over the data of a fictional server.

use client_rs_machinery::meta::v1::{APIGroup, APIResourceList, GroupVersionForDiscovery};
use client_rs_machinery::{List, StringList};

use super::*;

pub(in super::super) fn resource(text: &str) -> APIResource {
    // name kind singular short,short category,category scope
    let fields: Vec<&str> = text.split(' ').collect();
    let list = |text: &str| text.split(',').filter(|t| *t != "-").map(Str::from).collect::<List<_>>();
    APIResource {
        name: fields[0].into(),
        kind: fields[1].into(),
        singular_name: if fields[2] == "-" { Str::EMPTY } else { fields[2].into() },
        short_names: list(fields[3]),
        categories: list(fields[4]),
        namespaced: fields[5] == "ns",
        verbs: StringList::from_iter(["get"]),
        ..APIResource::EMPTY
    }
}

/// A group's name, and of each version its name and resources.
pub(in super::super) type Group<'a> = (&'a str, &'a [(&'a str, &'a [&'a str])]);

/// Groups in the order given, the first version preferred unless one ends in `!`.
pub(in super::super) fn served(groups: &[Group<'_>]) -> ServerResources {
    let mut all = ServerResources::default();
    for (name, versions) in groups {
        let version = |text: &str| {
            let version = text.trim_end_matches('!');
            let group_version = GroupVersion::new(*name, version).to_string().into();
            GroupVersionForDiscovery { group_version, version: version.into() }
        };
        let preferred = versions.iter().find(|(version, _)| version.ends_with('!')).unwrap_or(&versions[0]);
        all.groups.push(APIGroup {
            name: (*name).into(),
            versions: versions.iter().map(|(text, _)| version(text)).collect(),
            preferred_version: version(preferred.0),
            ..APIGroup::EMPTY
        });
        for (text, resources) in *versions {
            all.lists.push(APIResourceList {
                group_version: version(text).group_version,
                resources: resources.iter().map(|text| resource(text)).collect(),
            });
        }
    }
    all
}

fn mapper() -> RestMapper {
    let scale = APIResource {
        group: "autoscaling".into(),
        version: "v1".into(),
        ..resource("deployments/scale Scale deployment - - ns")
    };
    let mut all = served(&[
        (
            "extensions",
            &[("v1beta1", &["deployments Deployment deployment deploy all ns", "pods Pod - - - ns"])],
        ),
        (
            "apps",
            &[
                ("v1beta2", &["deployments Deployment deployment deploy all ns", "olds Old old - - ns"]),
                (
                    "v1!",
                    &[
                        "deployments Deployment deployment deploy all ns",
                        "deployments/status Deployment - - - ns",
                    ],
                ),
            ],
        ),
        (
            "",
            &[(
                "v1",
                &[
                    "pods Pod pod po all ns",
                    "nodes Node node no - cluster",
                    "endpoints Endpoints endpoints ep - ns",
                ],
            )],
        ),
        ("events.k8s.io", &[("v1", &["events Event event ev - ns"])]),
        ("storage.k8s.io", &[("v1", &["storageclasses StorageClass storageclass sc - cluster"])]),
        ("example.com", &[("v1", &["pos Po po - - ns", "twins Twin one - - ns", "ones Other twins - - ns"])]),
    ]);
    let apps = all.lists.iter_mut().find(|list| list.group_version == "apps/v1").unwrap();
    apps.resources.push(scale);
    RestMapper::new(&all)
}

fn gvr(text: &str) -> GroupVersionResource {
    let parts: Vec<&str> = text.split('/').collect();
    GroupVersionResource::new(parts[0], parts[1], parts[2])
}

fn shown(found: Result<Arc<RestMapping>, MapError>) -> String {
    match found {
        Ok(mapping) => mapping.resource.to_string(),
        Err(error) => format!("! {error}"),
    }
}

#[test]
fn t5_3_01_by_full_and_partial_resource() {
    let mapper = mapper();
    for (partial, expected) in [
        ("apps/v1/deployments", "apps/v1, Resource=deployments"),
        ("apps/v1beta2/deployment", "apps/v1beta2, Resource=deployments"),
        ("apps/v1/DEPLOYMENTS", "apps/v1, Resource=deployments"),
        // The group that is listed first, the version that it prefers.
        ("//deployments", "extensions/v1beta1, Resource=deployments"),
        ("apps//deployment", "apps/v1, Resource=deployments"),
        ("apps//old", "apps/v1beta2, Resource=olds"),
        // The core group's v1 wins.
        ("//pods", "/v1, Resource=pods"),
        ("/v1beta1/pods", "extensions/v1beta1, Resource=pods"),
        ("extensions//pods", "extensions/v1beta1, Resource=pods"),
        ("//endpoints", "/v1, Resource=endpoints"),
        // The beginning of a group's name.
        ("storage//storageclass", "storage.k8s.io/v1, Resource=storageclasses"),
        ("ext//pods", "extensions/v1beta1, Resource=pods"),
    ] {
        assert_eq!(shown(mapper.resource_for(&gvr(partial))), expected, "{partial}");
    }
    for none in ["//none", "apps/v2/deployments", "app/v1/deployments", "xyz//pods"] {
        let error = mapper.resource_for(&gvr(none)).unwrap_err();
        assert!(error.is_no_match(), "{none}: {error}");
    }
    assert!(matches!(mapper.resource_for(&gvr("apps/v1/")), Err(MapError::Empty)));
    let all = mapper.resources_for(&gvr("//deployments")).unwrap();
    let all: Vec<_> = all.iter().map(|mapping| mapping.resource.group_version().to_string()).collect();
    assert_eq!(all, ["extensions/v1beta1", "apps/v1", "apps/v1beta2"]);
    assert_eq!(mapper.kinds_for(&gvr("apps//deployments")).unwrap().len(), 2);
    assert_eq!(
        mapper.kind_for(&gvr("//no")).unwrap_err().to_string().split(':').next(),
        Some("no matches for /, Resource=no")
    );
    assert_eq!(mapper.kind_for(&gvr("//node")).unwrap().kind, "Node");
    assert_eq!(mapper.singular("nodes").unwrap(), "node");
    assert_eq!(mapper.exact(&gvr("apps/v1/deployments")).unwrap().kind.kind, "Deployment");
    assert!(mapper.exact(&gvr("apps/v1/deployment")).is_none());
}

#[test]
fn t5_3_01_by_kind() {
    let mapper = mapper();
    let of = |kind: &str, versions: &[&str]| shown(mapper.mapping(&GroupKind::parse(kind), versions));
    assert_eq!(of("Deployment.apps", &[]), "apps/v1, Resource=deployments");
    assert_eq!(of("deployment.apps", &["v1beta2"]), "apps/v1beta2, Resource=deployments");
    assert_eq!(of("Deployment.apps", &["v9", "v1beta2", "v1"]), "apps/v1beta2, Resource=deployments");
    assert_eq!(of("Deployment.apps", &[""]), "apps/v1, Resource=deployments");
    assert_eq!(of("Pod", &["v1"]), "/v1, Resource=pods");
    let why = "; is its CustomResourceDefinition installed?";
    assert_eq!(of("Nope.apps", &[]), format!("! no matches for kind \"Nope\" in group \"apps\"{why}"));
    assert_eq!(of("Pod", &["v2"]), format!("! no matches for kind \"Pod\" in version \"v2\"{why}"));
    assert_eq!(
        of("Deployment.apps", &["v9", "v8"]),
        format!("! no matches for kind \"Deployment\" in versions [\"apps/v8\", \"apps/v9\"]{why}")
    );
    // A list is not a resource: client-go invents one that no server has.
    assert!(of("PodList", &[]).starts_with("! no matches"));
    assert_eq!(mapper.mappings_of_kind(&GroupKind::parse("Deployment.apps")).len(), 2);
}

#[test]
fn what_people_type() {
    let mapper = mapper();
    for (text, expected) in [
        ("deploy", "extensions/v1beta1, Resource=deployments"),
        ("deploy.apps", "apps/v1, Resource=deployments"),
        ("deployments.apps", "apps/v1, Resource=deployments"),
        ("deployments.v1.apps", "apps/v1, Resource=deployments"),
        ("deploy.v1beta2.apps", "apps/v1beta2, Resource=deployments"),
        ("Deployment.v1.apps", "apps/v1, Resource=deployments"),
        ("Deployment.apps", "apps/v1, Resource=deployments"),
        ("Pod", "/v1, Resource=pods"),
        ("po", "example.com/v1, Resource=pos"),
        ("no", "/v1, Resource=nodes"),
        ("sc", "storage.k8s.io/v1, Resource=storageclasses"),
        ("sc.storage", "storage.k8s.io/v1, Resource=storageclasses"),
        ("events.events.k8s.io", "events.k8s.io/v1, Resource=events"),
        ("events.v1.events.k8s.io", "events.k8s.io/v1, Resource=events"),
        ("nothing", "! the server doesn't have a resource type \"nothing\""),
        ("nothing.v1.apps", "! the server doesn't have a resource type \"nothing\""),
        ("", "! the name of a resource is empty"),
        (".apps", "! the server doesn't have a resource type \"\""),
    ] {
        assert_eq!(shown(mapper.find(text)), expected, "{text}");
    }
}

#[test]
fn what_two_resources_are_called_in_one_version_is_ambiguous() {
    let mapper = mapper();
    let error = mapper.resource_for(&gvr("//twins")).unwrap_err();
    assert!(error.is_ambiguous());
    assert_eq!(
        error.to_string(),
        "/, Resource=twins matches multiple resources (example.com/v1, Resource=twins), \
         (example.com/v1, Resource=ones); name its group and version"
    );
    assert!(mapper.kind_for(&gvr("//twins")).unwrap_err().is_ambiguous());
    assert!(mapper.find("twins").unwrap_err().is_ambiguous());
    assert!(mapper.singular("twins").unwrap_err().is_ambiguous());
    // Two resources of one kind, likewise.
    let two = served(&[("g", &[("v1", &["as Same a - - ns", "bs Same b - - ns"])])]);
    let error = RestMapper::new(&two).mapping(&GroupKind::new("g", "Same"), &[]).unwrap_err();
    assert!(error.is_ambiguous(), "{error}");
}

#[test]
fn t5_3_03_a_version_that_failed_leaves_the_others() {
    let mut all = served(&[("apps", &[("v2!", &["as A a - - ns"]), ("v1", &["as A a - - ns"])])]);
    all.lists.retain(|list| list.group_version == "apps/v1");
    let mapper = RestMapper::new(&all);
    assert_eq!(shown(mapper.resource_for(&gvr("//as"))), "apps/v1, Resource=as");
    assert!(mapper.resource_for(&gvr("apps/v2/as")).is_err());
}

#[test]
fn t5_3_04_short_names_go_by_the_servers_order_and_full_names_win() {
    let mapper = mapper();
    let expand = |text: &str| mapper.expand(&gvr(text)).resource.to_string();
    assert_eq!(expand("//deploy"), "extensions/, Resource=deployments");
    assert_eq!(expand("apps//deploy"), "apps/, Resource=deployments");
    assert_eq!(expand("app//deploy"), "apps/, Resource=deployments");
    // `po` is the singular of example.com's `pos`.
    assert_eq!(expand("//po"), "/, Resource=po");
    assert_eq!(expand("xyz//deploy"), "xyz/, Resource=deploy");
    assert_eq!(expand("//whatever"), "/, Resource=whatever");
}

#[test]
fn t5_3_08_a_category_is_all_its_members() {
    let mapper = mapper();
    let all: Vec<_> = mapper.category("all").iter().map(ToString::to_string).collect();
    assert_eq!(all, ["pods", "deployments.extensions", "deployments.apps"]);
    assert!(mapper.category("none").is_empty());
}

#[test]
fn subresources_say_their_own_kind() {
    let mapper = mapper();
    let deployments = mapper.exact(&gvr("apps/v1/deployments")).unwrap();
    assert_eq!(deployments.subresource("scale").unwrap().kind.to_string(), "autoscaling/v1, Kind=Scale");
    assert_eq!(deployments.subresource("status").unwrap().kind.to_string(), "apps/v1, Kind=Deployment");
    assert!(deployments.subresource("log").is_none());
    assert!(deployments.has_verb("get") && !deployments.has_verb("watch"));
}
