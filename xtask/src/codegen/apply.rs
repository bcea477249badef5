//! Apply configurations: a builder a type, over the fields that somebody sets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::names::{identifier, snake};
use super::plan::{Module, Plan, Target};
use super::{clientset, emit, feature, resource};
use crate::schema::model::{Field, Scalar, Special, Struct, Type, TypeName};

/// The folder of the generated files.
pub(crate) const FOLDER: &str = "crates/kubernetes/src/apply/generated";

const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

/// A kind that can be applied.
struct Root {
    namespaced: bool,
    status: bool,
}

/// The types to generate.
struct Reached<'s> {
    roots: BTreeMap<&'s TypeName, Root>,
    types: BTreeSet<&'s TypeName>,
}

/// Every served kind that can be patched, the payloads of their scales, and all types inside.
fn reached<'s>(plan: &'s Plan<'s>, names: &'s BTreeMap<(&'s str, &'s str), TypeName>) -> Result<Reached<'s>> {
    let mut reached = Reached { roots: BTreeMap::new(), types: BTreeSet::new() };
    for group in &plan.schema.discovery.groups {
        for version in &group.versions {
            let found = clientset::groups(plan)?
                .into_iter()
                .find(|one| one.group == group.name && one.version == version.version)
                .with_context(|| format!("no client of {}/{}", group.name, version.version))?;
            for one in &version.resources {
                let patched = one.verbs.iter().any(|verb| verb == "patch");
                let client = found.resources.values().find(|client| client.plural == one.name);
                let (Some(client), true) = (client, patched) else { continue };
                let name = names
                    .get(&(found.module.package.path.as_str(), client.kind))
                    .with_context(|| format!("no type {}", client.kind))?;
                let status = one.subresources.iter().any(|sub| sub.name == "status");
                reached.roots.insert(name, Root { namespaced: one.namespaced, status });
            }
        }
    }
    let scale = names.get(&("k8s.io/api/autoscaling/v1", "Scale")).context("no type Scale")?;
    reached.roots.insert(scale, Root { namespaced: true, status: false });
    let mut open: Vec<&TypeName> = reached.roots.keys().copied().collect();
    // Of the metadata, which every kind has.
    open.push(names.get(&(META, "OwnerReference")).context("no type OwnerReference")?);
    while let Some(name) = open.pop() {
        if !reached.types.insert(name) {
            continue;
        }
        for member in members(plan, plan.schema.find(name).with_context(|| format!("there is no {name}"))?)? {
            if let Some(of) = member.of {
                open.push(of);
            }
        }
    }
    Ok(reached)
}

/// A setter.
struct Member<'s> {
    /// `set`, `list` or `map`.
    how: &'static str,
    method: String,
    json: &'s str,
    /// A type of the machinery, or none for a configuration.
    scalar_ty: Option<&'static str>,
    /// The type of a configuration.
    of: Option<&'s TypeName>,
}

fn members<'s>(plan: &'s Plan<'s>, parent: &'s Struct) -> Result<Vec<Member<'s>>> {
    let mut all = Vec::new();
    for field in &parent.fields {
        if emit::is_type_meta(field) || is_metadata(field) || field.json.as_deref() == Some("managedFields") {
            continue;
        }
        if let (Type::Struct(name), true) = (&field.ty, field.inline) {
            let inner = plan.schema.find(name).with_context(|| format!("there is no {name}"))?;
            all.extend(members(plan, inner)?);
            continue;
        }
        let Some(json) = &field.json else { continue };
        let is_word = json.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        let method = identifier(snake(if is_word { json } else { &field.name }));
        let ty = if let Type::Ptr(inner) = &field.ty { inner } else { &field.ty };
        let (how, item) = match ty {
            Type::Slice { item, .. } => ("list", &**item),
            Type::Map { value, .. } => ("map", &**value),
            other => ("set", other),
        };
        let item = if let Type::Ptr(inner) = item { inner } else { item };
        let (scalar_ty, of) = match item {
            Type::Struct(name) => (None, Some(name)),
            Type::Scalar { scalar, .. } => (Some(scalar_type(*scalar)), None),
            Type::Special { special, .. } => (Some(special_type(*special)), None),
            other => bail!("{}.{json} is a {other:?}", parent.name),
        };
        all.push(Member { how, method, json, scalar_ty, of });
    }
    Ok(all)
}

fn is_metadata(field: &Field) -> bool {
    let ty = if let Type::Ptr(inner) = &field.ty { inner } else { &field.ty };
    matches!(ty, Type::Struct(name) if name.package == META && name.name == "ObjectMeta")
}

const fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::Int32 => "i32",
        Scalar::Int64 => "i64",
        Scalar::Float64 => "f64",
        Scalar::String => "client_rs_machinery::Str",
        Scalar::Bytes => "client_rs_machinery::Blob",
    }
}

const fn special_type(special: Special) -> &'static str {
    match special {
        Special::Duration => "client_rs_machinery::Duration",
        Special::IntOrString => "client_rs_machinery::IntOrString",
        Special::MicroTime => "client_rs_machinery::MicroTime",
        Special::Quantity => "client_rs_machinery::Quantity",
        Special::StringList => "Vec<client_rs_machinery::Str>",
        Special::Time => "client_rs_machinery::Time",
        Special::Any
        | Special::Json
        | Special::FieldsV1
        | Special::RawExtension
        | Special::JsonSchemaPropsOrArray
        | Special::JsonSchemaPropsOrBool
        | Special::JsonSchemaPropsOrStringArray => "client_rs_machinery::Json",
    }
}

pub(crate) fn files(plan: &Plan<'_>, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    let names = names(plan);
    let reached = reached(plan, &names)?;
    let folder = PathBuf::from(FOLDER);
    let mut groups: BTreeMap<&str, BTreeMap<&str, &Module<'_>>> = BTreeMap::new();
    for name in &reached.types {
        let module = module(plan, name)?;
        groups.entry(&module.group).or_default().insert(&module.version, module);
    }
    let mut index = format!("{}//! Configurations by group.\n\n", emit::HEADER);
    for (group, versions) in &groups {
        let name =
            if *group == "meta" { "those of every group".to_owned() } else { format!("the group `{group}`") };
        writeln!(
            index,
            "/// Configurations of {name}.\n#[cfg(feature = \"apply-{}\")]\npub mod {group};",
            feature(group)
        )?;
        let mut group_index =
            format!("{}//! Configurations of the group `{group}`, by version.\n\n", emit::HEADER);
        for (version, module) in versions {
            writeln!(group_index, "pub mod {version};")?;
            let file = folder.join(group).join(format!("{version}.rs"));
            files.insert(file, version_file(plan, &reached, module)?);
        }
        files.insert(folder.join(group).join("mod.rs"), group_index);
    }
    files.insert(folder.join("mod.rs"), index);
    Ok(())
}

fn version_file(plan: &Plan<'_>, reached: &Reached<'_>, module: &Module<'_>) -> Result<String> {
    let path = &module.package.path;
    let head = format!("{}//! Configurations of `{path}`.\n\n", emit::HEADER);
    let mut text = String::new();
    let mut macros = BTreeSet::from(["configuration"]);
    for of in &module.package.structs {
        let Some(name) = reached.types.iter().find(|name| name.package == *path && name.name == of.name)
        else {
            continue;
        };
        let metadata = of.fields.iter().any(is_metadata);
        let with = if metadata { "+ metadata" } else { "" };
        writeln!(text, "configuration! {{ {} {with}", of.name)?;
        let mut seen = BTreeSet::new();
        for member in members(plan, of)? {
            if !seen.insert(member.method.clone()) {
                bail!("{}.{} twice", of.name, member.method);
            }
            let ty = match (member.scalar_ty, member.of) {
                (Some(scalar_ty), _) => scalar_ty.to_owned(),
                (None, Some(of)) => {
                    let other = self::module(plan, of)?;
                    if other.package.path == *path {
                        of.name.clone()
                    } else {
                        format!("crate::apply::{}::{}::{}", other.group, other.version, of.name)
                    }
                }
                (None, None) => bail!("{}.{} has no type", of.name, member.method),
            };
            writeln!(text, "    {} {} {:?} {ty};", member.how, member.method, member.json)?;
        }
        writeln!(text, "}}\n")?;
        let (Some(root), Some(kind)) = (reached.roots.get(name), of.kinds.first()) else {
            writeln!(text, "part! {{ {} }}\n", of.name)?;
            macros.insert("part");
            continue;
        };
        macros.insert("kind");
        writeln!(
            text,
            "kind! {{ {} {:?} {} {} client_rs_api::{}::{}::{} }}\n",
            of.name,
            resource::api_version(kind),
            if root.namespaced { "namespaced" } else { "cluster" },
            if root.status { "status" } else { "stateless" },
            module.group,
            module.version,
            of.name
        )?;
    }
    let macros: Vec<&str> = macros.into_iter().collect();
    Ok(format!("{head}use crate::apply::{{{}}};\n\n{text}", macros.join(", ")))
}

/// The features of groups with configurations, each with the groups whose configurations it uses.
pub(crate) fn features(plan: &Plan<'_>) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let names = names(plan);
    let reached = reached(plan, &names)?;
    let mut features: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in &reached.types {
        let of = plan.schema.find(name).with_context(|| format!("there is no {name}"))?;
        let group = &module(plan, name)?.group;
        let needs = features.entry(group.clone()).or_default();
        for member in members(plan, of)? {
            if let Some(other) = member.of {
                needs.insert(module(plan, other)?.group.clone());
            }
        }
        needs.insert("meta".to_owned());
        needs.remove(group);
    }
    Ok(features)
}

fn names<'s>(plan: &'s Plan<'_>) -> BTreeMap<(&'s str, &'s str), TypeName> {
    let mut names = BTreeMap::new();
    for module in plan.modules.values() {
        for of in &module.package.structs {
            let name = TypeName { package: module.package.path.clone(), name: of.name.clone() };
            names.insert((module.package.path.as_str(), of.name.as_str()), name);
        }
    }
    names
}

fn module<'p>(plan: &'p Plan<'_>, name: &TypeName) -> Result<&'p Module<'p>> {
    let module = plan.modules.get(name.package.as_str());
    let module = module.filter(|module| module.target == Target::Api || module.group == "meta");
    module.with_context(|| format!("no module for {name}"))
}
