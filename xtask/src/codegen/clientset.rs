//! The clientset: one type per group version, with one method per resource.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::names::{identifier, snake};
use super::plan::{Module, Plan};
use super::{emit, feature, resource};

/// The folder of the generated files.
pub(crate) const FOLDER: &str = "crates/kubernetes/src/clientset/generated";
/// The table of all accessors, which a test compares with discovery.
pub(crate) const TABLE: &str = "crates/kubernetes/tests/generated";

/// A group version with its resources.
pub(crate) struct GroupClient<'s> {
    /// As the API has it; empty for the core group.
    pub(crate) group: &'s str,
    pub(crate) version: &'s str,
    /// The module with the types.
    pub(crate) module: &'s Module<'s>,
    /// The type, such as `CoreV1`.
    name: String,
    /// By method.
    pub(crate) resources: BTreeMap<String, ResourceClient<'s>>,
}

pub(crate) struct ResourceClient<'s> {
    pub(crate) plural: &'s str,
    pub(crate) namespaced: bool,
    /// The type in the group's module.
    pub(crate) kind: &'s str,
    served: bool,
}

impl GroupClient<'_> {
    /// The clientset's method, and the file: `core_v1`.
    pub(crate) fn method(&self) -> String {
        snake(&self.name)
    }
}

/// Everything that Go has a client for or the pinned server serves.
pub(crate) fn groups<'s>(plan: &'s Plan<'s>) -> Result<Vec<GroupClient<'s>>> {
    let mut groups: BTreeMap<(&str, &str), GroupClient<'s>> = BTreeMap::new();
    let served: BTreeSet<(&str, &str, &str)> = plan
        .schema
        .discovery
        .groups
        .iter()
        .flat_map(|group| group.versions.iter().map(move |version| (group, version)))
        .flat_map(|(group, version)| {
            version
                .resources
                .iter()
                .map(|one| (group.name.as_str(), version.version.as_str(), one.name.as_str()))
        })
        .collect();
    for client in &plan.schema.clients {
        // One without a resource has methods on another's path, which has them here.
        let (Some(plural), Some(kind)) = (&client.resource, &client.kind) else { continue };
        let module =
            plan.modules.get(kind.package.as_str()).with_context(|| format!("no module for {kind}"))?;
        let key = (client.group.as_str(), client.version.as_str());
        let group = groups.entry(key).or_insert_with(|| GroupClient {
            group: &client.group,
            version: &client.version,
            module,
            name: client.accessor.clone(),
            resources: BTreeMap::new(),
        });
        let resource = ResourceClient {
            plural,
            namespaced: client.namespaced,
            kind: &kind.name,
            served: served.contains(&(key.0, key.1, plural)),
        };
        group.resources.insert(identifier(snake(&client.getter)), resource);
    }
    for discovered in &plan.schema.discovery.groups {
        for version in &discovered.versions {
            let key = (discovered.name.as_str(), version.version.as_str());
            let Some(group) = groups.get_mut(&key) else { bail!("Go has no client of {key:?}") };
            for one in &version.resources {
                if !group.resources.values().any(|resource| resource.plural == one.name) {
                    let resource = ResourceClient {
                        plural: &one.name,
                        namespaced: one.namespaced,
                        kind: &one.kind,
                        served: true,
                    };
                    group.resources.insert(identifier(one.name.clone()), resource);
                }
            }
        }
    }
    Ok(groups.into_values().collect())
}

/// The features of the clientset's groups, each with the API's features that it needs.
pub(crate) fn features(plan: &Plan<'_>) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut features: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for group in groups(plan)? {
        let needs = features.entry(group.module.group.clone()).or_default();
        needs.insert(group.module.group.clone());
        // The groups of the payloads of subresources.
        for other in resource::spoken(plan, group.group, group.version) {
            needs.insert(other.to_owned());
        }
    }
    Ok(features)
}

pub(crate) fn files(plan: &Plan<'_>, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    let groups = groups(plan)?;
    let folder = PathBuf::from(FOLDER);
    let mut index = format!("{}//! One type per group version.\n\n", emit::HEADER);
    let (mut uses, mut accessors) = (String::new(), String::new());
    for group in &groups {
        let method = group.method();
        let gate = format!("#[cfg(feature = {:?})]", feature(&group.module.group));
        writeln!(index, "{gate}\nmod {method};")?;
        writeln!(uses, "{gate}\npub use {method}::{};", group.name)?;
        let title = title(group);
        writeln!(
            accessors,
            "/// The resources of `{title}`.\n{gate}\n#[inline]\npub fn {method}(&self) -> {name} {{ {name}::new(&self.rest) }}\n",
            name = group.name
        )?;
        files.insert(folder.join(format!("{method}.rs")), file(group)?);
    }
    write!(
        index,
        "\n{uses}\n/// The clients of groups, each of a version.\nimpl super::Clientset {{\n{accessors}}}\n"
    )?;
    files.insert(folder.join("mod.rs"), index);
    files.insert(PathBuf::from(TABLE).join("accessors.rs"), table(&groups)?);
    Ok(())
}

fn title(group: &GroupClient<'_>) -> String {
    match group.group {
        "" => group.version.to_owned(),
        name => format!("{name}/{}", group.version),
    }
}

fn file(group: &GroupClient<'_>) -> Result<String> {
    let (title, name) = (title(group), &group.name);
    let mut text = format!("{}//! The resources of `{title}`.\n\n", emit::HEADER);
    let module = format!("client_rs_api::{}::{}", group.module.group, group.module.version);
    let kinds: BTreeSet<&str> = group.resources.values().map(|resource| resource.kind).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    writeln!(text, "use {module}::{{{}}};", kinds.join(", "))?;
    writeln!(text, "use client_rs_client::RestClient;")?;
    let any_namespaced = group.resources.values().any(|resource| resource.namespaced);
    let within = if any_namespaced { "{Api, Within}" } else { "Api" };
    writeln!(text, "use client_rs_client::api::{within};\n")?;
    writeln!(
        text,
        "/// The resources of `{title}`.\n#[derive(Clone, Debug)]\npub struct {name} {{ rest: RestClient }}\n\n\
         impl {name} {{\n/// The resources as this client sees them.\n#[inline]\n\
         pub fn new(rest: &RestClient) -> Self {{ Self {{ rest: rest.clone() }} }}\n"
    )?;
    for (method, resource) in &group.resources {
        let (plural, kind) = (resource.plural, resource.kind);
        let gone = if resource.served { "" } else { " Not served by the pinned API server." };
        if resource.namespaced {
            writeln!(
                text,
                "/// `{plural}` of a namespace, or of all.{gone}\n#[inline]\npub fn {method}<W: Within>(&self, namespace: W) -> \
                 Api<{kind}, W::Reach> {{ Api::within(&self.rest, namespace) }}\n"
            )?;
        } else {
            writeln!(
                text,
                "/// `{plural}`.{gone}\n#[inline]\npub fn {method}(&self) -> Api<{kind}> {{ Api::cluster(&self.rest) }}\n"
            )?;
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// `accessor!(feature, group method, resource method, scope, type);` for each.
fn table(groups: &[GroupClient<'_>]) -> Result<String> {
    let mut text = format!("{}accessors! {{\n", emit::HEADER);
    for group in groups {
        for (method, resource) in &group.resources {
            let scope = if resource.namespaced { "namespaced" } else { "cluster" };
            writeln!(
                text,
                "    {:?} {} {method} {scope} client_rs_api::{}::{}::{};",
                feature(&group.module.group),
                group.method(),
                group.module.group,
                group.module.version,
                resource.kind,
            )?;
        }
    }
    text.push_str("}\n");
    Ok(text)
}
