//! The accessors of a factory's informers: a file a group, a struct a version, a method a resource.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::plan::{Module, Plan, Target};
use super::{emit, feature, names, resource};

/// The folder of the generated files, in the workspace.
pub(crate) const FOLDER: &str = "crates/kubernetes/src/informers/generated";

/// A resource that an informer can be of.
struct Informed {
    /// The accessor's name: `config_maps`.
    getter: String,
    /// `v1::ConfigMap`.
    path: String,
}

/// By group, then by version.
type Groups<'p> = BTreeMap<&'p str, BTreeMap<&'p str, Vec<Informed>>>;

/// Writes the files.
pub(crate) fn modules(plan: &Plan<'_>, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    let groups = groups(plan)?;
    let mut index = format!(
        "{}//! The informers of every built-in resource.\n\nuse client_rs_machinery::GroupVersionResource;\n\n\
         use super::SharedInformerFactory;\n\n",
        emit::HEADER
    );
    let mut accessors = String::from("impl SharedInformerFactory {\n");
    // Inlined, so that only a program which calls it compiles the informers of all kinds.
    let mut ask = String::from(
        "/// Makes the informer of a built-in resource; false if there is no such resource.\n#[inline]\n\
         pub(super) fn ask(&self, resource: &GroupVersionResource) -> bool {\n",
    );
    for (group, versions) in &groups {
        let cfg = format!("#[cfg(feature = {:?})]", feature(group));
        writeln!(index, "{cfg}\npub mod {group};")?;
        writeln!(
            accessors,
            "/// The informers of the group `{group}`.\n{cfg}\npub fn {group}(&self) -> {group}::Informers {{\n\
             {group}::Informers::new(self)\n}}\n"
        )?;
        writeln!(ask, "{cfg}\nif self.{group}().ask(resource) {{\nreturn true;\n}}")?;
        files.insert(PathBuf::from(FOLDER).join(format!("{group}.rs")), file(group, versions)?);
    }
    ask.push_str("let _ = resource;\nfalse\n}\n");
    writeln!(accessors, "{ask}}}")?;
    write!(index, "\n{accessors}")?;
    files.insert(PathBuf::from(FOLDER).join("mod.rs"), index);
    Ok(())
}

fn file(group: &str, versions: &BTreeMap<&str, Vec<Informed>>) -> Result<String> {
    let mut text = format!("{}//! The informers of the group `{group}`.\n\n", emit::HEADER);
    let list: Vec<_> = versions.keys().copied().collect();
    writeln!(text, "use client_rs_api::{group}::{{{}}};\n", list.join(", "))?;
    writeln!(text, "use crate::informers::accessors::{{group, version}};\n")?;
    writeln!(text, "group!(Informers of {group:?} {{")?;
    for version in &list {
        writeln!(text, "    {version}: {},", camel(version))?;
    }
    writeln!(text, "}});")?;
    for (version, informed) in versions {
        writeln!(text, "\nversion!({} of \"{group}/{version}\" {{", camel(version))?;
        for of in informed {
            writeln!(text, "    {}: {},", of.getter, of.path)?;
        }
        writeln!(text, "}});")?;
    }
    Ok(text)
}

/// `v1beta1` → `V1beta1`.
fn camel(version: &str) -> String {
    let mut letters = version.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn groups<'p>(plan: &'p Plan<'_>) -> Result<Groups<'p>> {
    let mut groups = Groups::new();
    for module in plan.modules.values().filter(|module| module.target == Target::Api) {
        // Its server answers no watch.
        if module.group == "metrics" {
            continue;
        }
        let mut informed = informed(plan, module)?;
        informed.sort_by(|one, other| one.getter.cmp(&other.getter));
        if !informed.is_empty() {
            groups.entry(&module.group).or_default().insert(&module.version, informed);
        }
    }
    Ok(groups)
}

fn informed(plan: &Plan<'_>, module: &Module<'_>) -> Result<Vec<Informed>> {
    let mut informed = Vec::new();
    for of in &module.package.structs {
        let Some((_, facts)) = resource::facts(plan, module, of) else { continue };
        let traits = facts.traits();
        if !(traits.contains(&"List") && traits.contains(&"Watch")) {
            continue;
        }
        let Some(client) = resource::client(plan, module, of) else {
            bail!("Go has no client for {} of {}/{}", of.name, module.group, module.version);
        };
        informed.push(Informed {
            getter: names::identifier(names::snake(&client.getter)),
            path: format!("{}::{}", module.version, of.name),
        });
    }
    Ok(informed)
}
