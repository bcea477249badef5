//! `krs api-resources`

use std::io::Write;

use anyhow::Result;
use clap::ValueEnum;
use client_rs_client::discovery::ServerResources;
use client_rs_client::manifest;
use client_rs_machinery::meta::v1::APIResource;
use client_rs_machinery::{GroupVersion, Json, Str};
use serde::Serialize;

use crate::GlobalArgs;
use crate::output::{Output, table};

/// The flags are kubectl's.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Only resources in this API group; empty for the core group
    #[arg(long, value_name = "GROUP")]
    api_group: Option<String>,
    /// Only namespaced resources; with =false, only cluster-scoped resources [default: both]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    namespaced: Option<bool>,
    /// Only resources that support all of these verbs
    #[arg(long, value_delimiter = ',')]
    verbs: Vec<String>,
    /// Only resources in all of these categories
    #[arg(long, value_delimiter = ',')]
    categories: Vec<String>,
    /// Sort by this field
    #[arg(long, value_enum)]
    sort_by: Option<SortBy>,
    /// Output format
    #[arg(long, short, value_enum)]
    output: Option<Form>,
    /// Do not print the header line
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    no_headers: bool,
    /// Use the cached list of resources if available
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    cached: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SortBy {
    Name,
    Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Json,
    Yaml,
    Name,
    Wide,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, out: &mut Output<'_>) -> Result<()> {
    let discovery = global.discovery()?;
    if !args.cached {
        discovery.invalidate();
    }
    let found = discovery.server_resources().await?.preferred();
    if !found.lists.is_empty() {
        print(&selected(&found, args), args, out)?;
    }
    // The resources are printed; errors of groups must still be reported.
    found.complete()?;
    Ok(())
}

/// The resources to show, each with the group and version that it was found in, in the order to show them in.
fn selected(found: &ServerResources, args: &Args) -> Vec<APIResource> {
    let has_all =
        |has: &[Str], wanted: &[String]| wanted.iter().all(|wanted| has.iter().any(|has| has == wanted));
    let mut all = Vec::new();
    for list in &found.lists {
        let Ok(GroupVersion { group, version }) = GroupVersion::parse(&list.group_version) else { continue };
        let shown = list.resources.iter().filter(|resource| {
            !resource.verbs.is_empty()
                && args.api_group.as_ref().is_none_or(|wanted| group == *wanted)
                && args.namespaced.is_none_or(|wanted| wanted == resource.namespaced)
                && has_all(&resource.verbs, &args.verbs)
                && has_all(&resource.categories, &args.categories)
        });
        all.extend(shown.map(|resource| APIResource {
            group: group.clone(),
            version: version.clone(),
            ..resource.clone()
        }));
    }
    all.sort_by(|a, b| {
        let key = |resource: &APIResource| match args.sort_by {
            Some(SortBy::Name) => resource.name.clone(),
            Some(SortBy::Kind) => resource.kind.clone(),
            None => resource.group.clone(),
        };
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    all
}

fn print(resources: &[APIResource], args: &Args, out: &mut Output<'_>) -> Result<()> {
    match args.output {
        None => table(resources, false, args.no_headers, out),
        Some(Form::Wide) => table(resources, true, args.no_headers, out),
        Some(Form::Name) => {
            for resource in resources {
                let dot = if resource.group.is_empty() { "" } else { "." };
                writeln!(out, "{}{dot}{}", resource.name, resource.group)?;
            }
            Ok(())
        }
        Some(Form::Json) => {
            let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
            let mut serializer = serde_json::Serializer::with_formatter(out.raw(), formatter);
            Shown::new(resources).serialize(&mut serializer)?;
            writeln!(out)?;
            Ok(())
        }
        Some(Form::Yaml) => {
            Ok(write!(out.raw(), "{}", manifest::to_yaml(&Json::from_serde(&Shown::new(resources))?))?)
        }
    }
}

fn table(
    resources: &[APIResource],
    wide: bool,
    no_headers: bool,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    if !no_headers {
        let names = ["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "VERBS", "CATEGORIES"];
        let count = if wide { 7 } else { 5 };
        rows.push(names[..count].iter().map(|&name| name.to_owned()).collect());
    }
    for resource in resources {
        let version = GroupVersion::new(resource.group.clone(), resource.version.clone());
        let mut row = vec![
            resource.name.to_string(),
            resource.short_names.join(","),
            version.to_string(),
            resource.namespaced.to_string(),
            resource.kind.to_string(),
        ];
        if wide {
            row.extend([resource.verbs.join(","), resource.categories.join(",")]);
        }
        rows.push(row);
    }
    Ok(table::print(&rows, out)?)
}

/// The list as Go writes it: its order of fields, and `null` for an empty list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    kind: &'static str,
    api_version: &'static str,
    group_version: &'static str,
    resources: Option<Vec<ShownResource<'a>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownResource<'a> {
    name: &'a str,
    singular_name: &'a str,
    namespaced: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    version: &'a str,
    kind: &'a str,
    verbs: &'a [Str],
    #[serde(skip_serializing_if = "<[Str]>::is_empty")]
    short_names: &'a [Str],
    #[serde(skip_serializing_if = "<[Str]>::is_empty")]
    categories: &'a [Str],
    #[serde(skip_serializing_if = "str::is_empty")]
    storage_version_hash: &'a str,
}

impl<'a> Shown<'a> {
    fn new(resources: &'a [APIResource]) -> Self {
        let shown = |resource: &'a APIResource| ShownResource {
            name: &resource.name,
            singular_name: &resource.singular_name,
            namespaced: resource.namespaced,
            group: &resource.group,
            version: &resource.version,
            kind: &resource.kind,
            verbs: &resource.verbs,
            short_names: &resource.short_names,
            categories: &resource.categories,
            storage_version_hash: &resource.storage_version_hash,
        };
        let resources = (!resources.is_empty()).then(|| resources.iter().map(shown).collect());
        Self { kind: "APIResourceList", api_version: "v1", group_version: "", resources }
    }
}
