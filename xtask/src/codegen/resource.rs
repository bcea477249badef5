//! The traits of a struct: an object, a list of objects, a resource with verbs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Result, bail, ensure};

use super::plan::{Module, Plan};
use crate::schema::clients::Client;
use crate::schema::discovery::Resource;
use crate::schema::model::{Gvk, Struct, Type, TypeName};

const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

/// `v1`, `apps/v1`.
pub(crate) fn api_version(kind: &Gvk) -> String {
    if kind.group.is_empty() { kind.version.clone() } else { format!("{}/{}", kind.group, kind.version) }
}

/// The trait implementations of an object or a list.
pub(crate) fn impls(plan: &Plan<'_>, module: &Module<'_>, of: &Struct, text: &mut String) -> Result<()> {
    let Some(kind) = of.kinds.first() else { return Ok(()) };
    let machinery = module.target.machinery();
    if machinery == "crate" {
        // `Object` speaks of these types: it implements itself for them.
        return Ok(());
    }
    if holds(of, "metadata", "ObjectMeta") {
        writeln!(text, "\n{machinery}::object!({}, {:?}, {:?});", of.name, api_version(kind), kind.kind)?;
        resource(plan, module, of, text)?;
    } else if holds(of, "metadata", "ListMeta")
        && let Some(item) = item(plan, of)
    {
        writeln!(text, "\n{machinery}::object_list!({}, {});", of.name, item.name)?;
    }
    Ok(())
}

/// Whether a field has that metadata by value.
fn holds(of: &Struct, json: &str, meta: &str) -> bool {
    of.fields.iter().any(|field| {
        let is_meta = matches!(&field.ty, Type::Struct(name) if name.package == META && name.name == meta);
        field.json.as_deref() == Some(json) && is_meta
    })
}

/// The items of a list.
fn item<'s>(plan: &Plan<'_>, of: &'s Struct) -> Option<&'s TypeName> {
    let items = of.fields.iter().find(|field| field.json.as_deref() == Some("items"))?;
    let Type::Slice { item, .. } = &items.ty else { return None };
    let Type::Struct(name) = &**item else { return None };
    let object = plan.schema.find(name)?;
    (holds(object, "metadata", "ObjectMeta") && !object.kinds.is_empty()).then_some(name)
}

/// The facts of a resource: from the pinned server's discovery, or from Go's client for versions that the server no longer
/// serves.
pub(crate) fn facts<'s>(plan: &Plan<'_>, module: &Module<'_>, of: &'s Struct) -> Option<(&'s Gvk, Facts)> {
    let kind = of.kinds.first().filter(|_| holds(of, "metadata", "ObjectMeta"))?;
    let facts = match (served(plan, kind), client(plan, module, of)) {
        (Some(resource), _) => Facts::of_resource(kind, resource),
        (None, Some(client)) => Facts::of_client(of, client),
        (None, None) => return None,
    };
    Some((kind, facts))
}

/// Can objects of this kind be read from a server?
pub(crate) fn is_readable(plan: &Plan<'_>, module: &Module<'_>, of: &Struct) -> bool {
    facts(plan, module, of).is_some_and(|(_, facts)| facts.verbs.iter().any(|verb| verb == "get"))
}

/// The types of the same module that a kind's subresources take.
pub(crate) fn payloads(plan: &Plan<'_>, module: &Module<'_>, of: &Struct) -> Vec<String> {
    let Some((kind, facts)) = facts(plan, module, of) else { return Vec::new() };
    let here = facts.subresources.iter().filter(|sub| sub.group == kind.group && sub.version == kind.version);
    here.map(|sub| payload_kind(sub).to_owned()).collect()
}

/// The payload of a subresource. For a log, discovery has the kind of the object and not the options.
fn payload_kind(sub: &SubFacts) -> &str {
    if sub.name == "log" { "PodLogOptions" } else { &sub.kind }
}

fn resource(plan: &Plan<'_>, module: &Module<'_>, of: &Struct, text: &mut String) -> Result<()> {
    let Some((kind, facts)) = facts(plan, module, of) else { return Ok(()) };
    let machinery = module.target.machinery();
    let scope = if facts.namespaced { "Namespaced" } else { "Cluster" };
    writeln!(text, "\nimpl {machinery}::Resource for {} {{ type Scope = {machinery}::{scope};\n", of.name)?;
    writeln!(text, "const INFO: &'static {machinery}::ResourceInfo = &{machinery}::ResourceInfo {{")?;
    writeln!(text, "group: {:?}, version: {:?}, kind: {:?},", kind.group, kind.version, kind.kind)?;
    writeln!(text, "plural: {:?}, singular: {:?},", facts.plural, facts.singular)?;
    writeln!(text, "namespaced: {}, short_names: &{:?},", facts.namespaced, facts.short_names)?;
    writeln!(text, "categories: &{:?}, verbs: &{:?}, subresources: &[", facts.categories, facts.verbs)?;
    for sub in &facts.subresources {
        writeln!(
            text,
            "{machinery}::SubresourceInfo {{ name: {:?}, group: {:?}, version: {:?}, kind: {:?}, verbs: &{:?} }},",
            sub.name, sub.group, sub.version, sub.kind, sub.verbs
        )?;
    }
    writeln!(text, "] }}; }}\n")?;
    let traits = facts.traits();
    if !traits.is_empty() {
        writeln!(text, "{machinery}::verbs!({}: {});", of.name, traits.join(", "))?;
    }
    for sub in &facts.subresources {
        subresource(plan, module, of, sub, text)?;
    }
    Ok(())
}

/// What `machinery::subresource` has for a subresource: its type, and the verbs that this has. Of `Status`, a kind has it
/// by its verb.
const SUBRESOURCES: &[(&str, &str, &[&str])] = &[
    ("approval", "Approval", &["get", "patch", "update"]),
    ("attach", "Attach", &["create", "get"]),
    ("binding", "Binding", &["create"]),
    ("ephemeralcontainers", "EphemeralContainers", &["get", "patch", "update"]),
    ("eviction", "Eviction", &["create"]),
    ("exec", "Exec", &["create", "get"]),
    ("finalize", "Finalize", &["update"]),
    ("log", "Log", &["get"]),
    ("portforward", "PortForward", &["create", "get"]),
    ("proxy", "Proxy", &["create", "delete", "get", "patch", "update"]),
    ("resize", "Resize", &["get", "patch", "update"]),
    ("scale", "Scale", &["get", "patch", "update"]),
    ("status", "Status", &["get", "patch", "update"]),
    ("token", "Token", &["create"]),
];

/// The modules of other groups whose types the subresources of a group version speak.
pub(crate) fn spoken<'p>(plan: &'p Plan<'_>, group: &str, version: &str) -> BTreeSet<&'p str> {
    let discovery = plan.schema.discovery.groups.iter().filter(|one| one.name == group);
    let versions = discovery.flat_map(|one| &one.versions).filter(|one| one.version == version);
    let subresources = versions.flat_map(|one| &one.resources).flat_map(|one| &one.subresources);
    let others = subresources.filter_map(|sub| sub.group.as_deref());
    others
        .filter_map(|other| {
            let is_it = |module: &&super::plan::Module<'_>| module.package.group.as_deref() == Some(other);
            plan.modules.values().find(is_it).map(|module| module.group.as_str())
        })
        .collect()
}

/// Writes that the kind has a subresource, and its payload.
fn subresource(
    plan: &Plan<'_>,
    module: &Module<'_>,
    of: &Struct,
    sub: &SubFacts,
    text: &mut String,
) -> Result<()> {
    let Some((_, marker, verbs)) = SUBRESOURCES.iter().find(|(name, ..)| *name == sub.name) else {
        bail!("machinery::subresource has no type for {} of {}", sub.name, of.name);
    };
    ensure!(sub.verbs == *verbs, "{} of {} is served with {:?}", sub.name, of.name, sub.verbs);
    if sub.name == "status" {
        ensure!(sub.kind == of.name, "the status of {} is a {}", of.name, sub.kind);
        return Ok(());
    }
    let kind = payload_kind(sub);
    let payload = plan.modules.values().find(|other| {
        let group = other.package.group.as_deref() == Some(sub.group.as_str());
        group && other.version == sub.version && other.package.structs.iter().any(|of| of.name == kind)
    });
    let Some(payload) = payload else { bail!("no type {kind} of {}/{}", sub.group, sub.version) };
    let machinery = module.target.machinery();
    let kind = format!("{}::{kind}", payload.path_from(module.target));
    let answer = match sub.name.as_str() {
        "binding" | "eviction" => format!("{machinery}::meta::v1::Status"),
        _ => kind.clone(),
    };
    text.push('\n');
    if payload.group != module.group {
        let of = payload.package.structs.iter().find(|of| of.name == payload_kind(sub));
        writeln!(text, "{}", of.map(|of| plan.parts.gate(payload, of)).unwrap_or_default())?;
    }
    writeln!(
        text,
        "impl {machinery}::HasSubresource<{machinery}::subresource::{marker}> for {} {{\n\
         type Payload = {kind};\ntype Answer = {answer};\n}}\n",
        of.name
    )?;
    Ok(())
}

fn served<'s>(plan: &Plan<'s>, kind: &Gvk) -> Option<&'s Resource> {
    let group = plan.schema.discovery.groups.iter().find(|group| group.name == kind.group)?;
    let version = group.versions.iter().find(|version| version.version == kind.version)?;
    version.resources.iter().find(|resource| resource.kind == kind.kind)
}

pub(crate) fn client<'s>(plan: &Plan<'s>, module: &Module<'_>, of: &Struct) -> Option<&'s Client> {
    plan.schema.clients.iter().find(|client| {
        let is_it = |name: &TypeName| name.package == module.package.path && name.name == of.name;
        client.resource.is_some() && client.kind.as_ref().is_some_and(is_it)
    })
}

/// The facts of a resource, from either source.
pub(crate) struct Facts {
    plural: String,
    singular: String,
    namespaced: bool,
    short_names: Vec<String>,
    categories: Vec<String>,
    verbs: Vec<String>,
    subresources: Vec<SubFacts>,
}

struct SubFacts {
    name: String,
    group: String,
    version: String,
    kind: String,
    verbs: Vec<String>,
}

impl Facts {
    fn of_resource(kind: &Gvk, resource: &Resource) -> Self {
        let subresources = resource.subresources.iter().map(|sub| SubFacts {
            name: sub.name.clone(),
            group: sub.group.clone().unwrap_or_else(|| kind.group.clone()),
            version: sub.version.clone().unwrap_or_else(|| kind.version.clone()),
            kind: sub.kind.clone(),
            verbs: sub.verbs.clone(),
        });
        Self {
            plural: resource.name.clone(),
            singular: resource.singular.clone(),
            namespaced: resource.namespaced,
            short_names: resource.short_names.clone(),
            categories: resource.categories.clone(),
            verbs: resource.verbs.clone(),
            subresources: subresources.collect(),
        }
    }

    fn of_client(of: &Struct, client: &Client) -> Self {
        let verb = |method: &String| {
            ["Create", "Delete", "DeleteCollection", "Get", "List", "Patch", "Update", "Watch"]
                .contains(&method.as_str())
                .then(|| method.to_lowercase())
        };
        let status = client.methods.iter().any(|method| method == "UpdateStatus");
        let status = status.then(|| SubFacts {
            name: "status".to_owned(),
            group: client.group.clone(),
            version: client.version.clone(),
            kind: of.name.clone(),
            verbs: vec!["get".to_owned(), "patch".to_owned(), "update".to_owned()],
        });
        Self {
            plural: client.resource.clone().unwrap_or_default(),
            singular: of.name.to_lowercase(),
            namespaced: client.namespaced,
            short_names: Vec::new(),
            categories: Vec::new(),
            verbs: client.methods.iter().filter_map(verb).collect(),
            subresources: status.into_iter().collect(),
        }
    }

    pub(crate) fn traits(&self) -> Vec<&'static str> {
        let verbs = [
            ("create", "Create"),
            ("delete", "Delete"),
            ("deletecollection", "DeleteCollection"),
            ("get", "Get"),
            ("list", "List"),
            ("patch", "Patch"),
            ("update", "Update"),
            ("watch", "Watch"),
        ];
        let subresources = [("status", "Status"), ("scale", "Scale")];
        let verbs = verbs.into_iter().filter(|(verb, _)| self.verbs.iter().any(|served| served == verb));
        let subresources = subresources
            .into_iter()
            .filter(|(name, _)| self.subresources.iter().any(|served| served.name == *name));
        verbs.chain(subresources).map(|(_, name)| name).collect()
    }
}
