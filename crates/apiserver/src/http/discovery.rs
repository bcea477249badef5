//! Discovery documents.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{Json, Str, json};
use ring::digest;

use crate::registry::{AggregatedVersion, Catalog, Served, SubInfo};

/// `/api`, in the unaggregated format.
pub(crate) fn core_versions(address: &str) -> Json {
    json!({
        "kind": "APIVersions", "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
    })
}

/// `/apis`, in the unaggregated format.
pub(crate) fn groups(catalog: &Catalog, others: &[AggregatedVersion]) -> Json {
    let own = group_names(catalog);
    let own_bodies = own.iter().map(|name| group_body(catalog, name));
    let others = other_groups(&own, others).into_iter().map(|(name, versions)| body_of(name, &versions));
    let groups: Vec<Json> = own_bodies.chain(others).collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

/// `/apis/{group}`; `None` for a group that is not served.
pub(crate) fn group(catalog: &Catalog, others: &[AggregatedVersion], name: &str) -> Option<Json> {
    let own = group_names(catalog);
    let mut body = if own.contains(&name) {
        group_body(catalog, name)
    } else {
        let (name, versions) = other_groups(&own, others).into_iter().find(|(other, _)| *other == name)?;
        body_of(name, &versions)
    };
    let map = body.as_map_mut()?;
    map.insert("kind", "APIGroup".into());
    map.insert("apiVersion", "v1".into());
    Some(body)
}

/// `/api/v1`, `/apis/{group}/{version}`; `None` for a version that is not served.
pub(crate) fn resources(catalog: &Catalog, group: &str, version: &str) -> Option<Json> {
    let of: Vec<&Arc<Served>> = in_version(catalog, group, version).collect();
    let first = of.first()?;
    let mut resources = Vec::new();
    for served in &of {
        let info = &served.info;
        let mut body = json!({
            "name": text(&info.plural), "singularName": text(&info.singular), "namespaced": info.namespaced,
            "kind": text(&info.kind),
            "verbs": info.verbs,
        });
        optional(&mut body, "shortNames", &info.short_names);
        optional(&mut body, "categories", &info.categories);
        if let (Some(map), Some(hash)) = (body.as_map_mut(), storage_version_hash(served)) {
            map.insert("storageVersionHash", hash.into());
        }
        resources.push(body);
        for sub in &info.subresources {
            let mut body = json!({
                "name": format!("{}/{}", info.plural, sub.name), "singularName": "", "namespaced": info.namespaced,
                "kind": text(&sub.kind), "verbs": sub.verbs,
            });
            if let Some(map) = body.as_map_mut()
                && is_foreign(served, sub)
            {
                map.insert("group", sub.group.clone().into());
                map.insert("version", sub.version.clone().into());
            }
            resources.push(body);
        }
    }
    let mut list = json!({
        "kind": "APIResourceList", "groupVersion": first.api_version(), "resources": resources,
    });
    // The list of the core group has an older format without its own version.
    if !group.is_empty()
        && let Some(map) = list.as_map_mut()
    {
        map.insert("apiVersion", "v1".into());
    }
    Some(list)
}

/// A hash of the version in which a resource is stored; `None` for one that is not stored. A client can see in it that the
/// stored version has changed.
fn storage_version_hash(served: &Served) -> Option<String> {
    served.table?;
    let info = &served.info;
    let group = served.conversion.map_or(info.group.as_str(), |to| to.stored_group());
    let version = match served.custom() {
        Some(custom) => custom.storage.as_str(),
        None => served.rules.stored_version.unwrap_or(&info.version),
    };
    let hash = digest::digest(&digest::SHA256, format!("{group}/{version}/{}", info.kind).as_bytes());
    Some(STANDARD.encode(&hash.as_ref()[..8]))
}

/// `/api` or `/apis`, in the aggregated format.
pub(crate) fn aggregated(catalog: &Catalog, others: &[AggregatedVersion], core: bool) -> Json {
    let names = if core { vec![""] } else { group_names(catalog) };
    let others = if core { Vec::new() } else { other_groups(&names, others) };
    let stale = others.into_iter().map(|(name, versions)| {
        let versions: Vec<Json> =
            versions.into_iter().map(|version| json!({"version": version, "freshness": "Stale"})).collect();
        json!({"metadata": {"name": name}, "versions": versions})
    });
    let items: Vec<Json> = names
        .into_iter()
        .map(|name| {
            let metadata = if name.is_empty() { json!({}) } else { json!({"name": name}) };
            let versions: Vec<Json> = versions(catalog, name)
                .into_iter()
                .map(|version| {
                    let resources: Vec<Json> = in_version(catalog, name, version)
                        .map(|served| aggregated_resource(served))
                        .collect();
                    json!({"version": version, "resources": resources, "freshness": "Current"})
                })
                .collect();
            json!({"metadata": metadata, "versions": versions})
        })
        .chain(stale)
        .collect();
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items,
    })
}

fn aggregated_resource(served: &Served) -> Json {
    let info = &served.info;
    let scope = if info.namespaced { "Namespaced" } else { "Cluster" };
    // Custom resources contain fields that built-in ones omit.
    let own = |value: &Str| if served.custom().is_some() { text(value) } else { Json::from("") };
    let (group, version) = (own(&info.group), own(&info.version));
    let mut body = json!({
        "resource": text(&info.plural), "scope": scope, "singularResource": text(&info.singular),
        "responseKind": {"group": group, "version": version, "kind": text(&info.kind)}, "verbs": info.verbs,
    });
    optional(&mut body, "shortNames", &info.short_names);
    optional(&mut body, "categories", &info.categories);
    let subresources: Vec<Json> = info
        .subresources
        .iter()
        .map(|sub| {
            let foreign = is_foreign(served, sub) || served.custom().is_some();
            let of = |value: &Str| if foreign { text(value) } else { Json::from("") };
            let (group, version) = (of(&sub.group), of(&sub.version));
            json!({
                "subresource": sub.name, "responseKind": {"group": group, "version": version, "kind": text(&sub.kind)},
                "verbs": sub.verbs,
            })
        })
        .collect();
    if let Some(map) = body.as_map_mut()
        && !subresources.is_empty()
    {
        map.insert("subresources", subresources.into());
    }
    body
}

fn text(value: &Str) -> Json {
    value.clone().into()
}

fn is_foreign(served: &Served, sub: &SubInfo) -> bool {
    (&sub.group, &sub.version) != (&served.info.group, &served.info.version)
}

fn optional(body: &mut Json, key: &str, values: &[Str]) {
    if let Some(map) = body.as_map_mut()
        && !values.is_empty()
    {
        map.insert(key, values.iter().map(text).collect::<Vec<_>>().into());
    }
}

/// The groups that only aggregated API servers serve, with their versions.
fn other_groups<'o>(own: &[&str], others: &'o [AggregatedVersion]) -> Vec<(&'o str, Vec<&'o str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for other in others.iter().filter(|other| !own.contains(&other.group.as_str())) {
        match groups.last_mut() {
            Some((group, versions)) if *group == other.group => versions.push(&other.version),
            _ => groups.push((&other.group, vec![&other.version])),
        }
    }
    groups
}

fn group_body(catalog: &Catalog, name: &str) -> Json {
    body_of(name, &versions(catalog, name))
}

fn body_of(name: &str, versions: &[&str]) -> Json {
    let versions: Vec<Json> = versions
        .iter()
        .map(|version| json!({"groupVersion": format!("{name}/{version}"), "version": *version}))
        .collect();
    let preferred = versions.first().cloned();
    json!({"name": name, "versions": versions, "preferredVersion": preferred})
}

/// The groups except the core group, in order.
pub(crate) fn group_names(catalog: &Catalog) -> Vec<&str> {
    let mut names: Vec<&str> = catalog
        .all()
        .iter()
        .map(|served| served.info.group.as_str())
        .filter(|group| !group.is_empty())
        .collect();
    names.dedup();
    names
}

/// The versions of a group, the preferred one first.
pub(crate) fn versions<'c>(catalog: &'c Catalog, group: &str) -> Vec<&'c str> {
    let of = catalog.all().iter().filter(|served| served.info.group == group);
    let mut versions: Vec<&str> = of.map(|served| served.info.version.as_str()).collect();
    versions.dedup();
    versions
}

pub(crate) fn in_version<'c>(
    catalog: &'c Catalog,
    group: &'c str,
    version: &'c str,
) -> impl Iterator<Item = &'c Arc<Served>> {
    catalog.all().iter().filter(move |served| served.info.group == group && served.info.version == version)
}
