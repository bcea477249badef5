//! The accessors of a factory's informers: one file per group, one struct per version, one method per resource.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::plan::{Module, Plan, Target};
use super::{emit, feature, names, resource};

/// The folder of the generated files, in the workspace.
pub(crate) const FOLDER: &str = "crates/kubernetes/src/informers/generated";

/// The method that takes a resource by its name.
const FOR_RESOURCE: &str = "\
    /// The informer of a resource by its name: the same one that its type has, its objects seen as what all objects are.\n\
    /// It is made if nobody has asked for it before. `None` if it is not a built-in resource that can be listed and\n\
    /// watched, of a group that is compiled in, and was not asked for by its type either.\n///\n\
    /// A program that calls this compiles the informers of all kinds. For resources that are known only at run time\n\
    /// [`DynamicSharedInformerFactory`](client_rs_informers::DynamicSharedInformerFactory) needs none of their types.\n\
    fn for_resource(&self, resource: &GroupVersionResource) -> Option<GenericInformer>";

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
        "{}//! The informers of every built-in resource.\n\nuse client_rs_informers::{{GenericInformer, \
         SharedInformerFactory}};\nuse client_rs_machinery::GroupVersionResource;\n\n",
        emit::HEADER
    );
    let mut methods = String::new();
    let mut accessors = String::new();
    // Inlined, so that only a program which calls it compiles the informers of all kinds.
    let mut ask = String::from(
        "/// Makes the informer of a built-in resource; false if there is no such resource.\n#[inline]\n\
         fn ask(factory: &SharedInformerFactory, resource: &GroupVersionResource) -> bool {\n",
    );
    for (group, versions) in &groups {
        let cfg = format!("#[cfg(feature = {:?})]", feature(group));
        writeln!(index, "{cfg}\npub mod {group};")?;
        writeln!(
            methods,
            "/// The informers of the group `{group}`.\n{cfg}\nfn {group}(&self) -> {group}::Informers;\n"
        )?;
        writeln!(
            accessors,
            "{cfg}\nfn {group}(&self) -> {group}::Informers {{\n{group}::Informers::new(self)\n}}\n"
        )?;
        writeln!(ask, "{cfg}\nif factory.{group}().ask(resource) {{\nreturn true;\n}}")?;
        files.insert(PathBuf::from(FOLDER).join(format!("{group}.rs")), file(group, versions)?);
    }
    write!(
        index,
        "\n/// The informers of built-in resources, as methods of [`SharedInformerFactory`]:\n\
         /// `factory.apps().v1().deployments()`. Bring it into scope to call them.\n\
         pub trait BuiltInInformers: super::Sealed {{\n{methods}{FOR_RESOURCE};\n}}\n\n\
         impl BuiltInInformers for SharedInformerFactory {{\n{accessors}\
         #[inline]\nfn for_resource(&self, resource: &GroupVersionResource) -> Option<GenericInformer> {{\n\
         self.find(resource).or_else(|| if ask(self, resource) {{ self.find(resource) }} else {{ None }})\n}}\n}}\n\n\
         {ask}let _ = (factory, resource);\nfalse\n}}\n"
    )?;
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
