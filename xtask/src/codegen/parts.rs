//! Groups whose kinds are cargo features of their own: a program compiles the types of the kinds that it names, and those
//! inside them, instead of the whole group.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{Module, Plan, Target, referred};
use super::{feature, names, resource};
use crate::schema::model::Struct;

/// The groups that are cut. Elsewhere a group is small, or its kinds hold each other's types.
const CUT: &[&str] = &["autoscaling", "core"];

/// Kinds that are parts although no server lists them: payloads of subresources of other groups.
const TAKEN: &[&str] = &["Scale"];

/// The part of the small types by which objects refer to others; many types hold one of them.
const REFERENCES: &str = "core-references";

/// A type: its Go package and its name.
pub(crate) type Name<'s> = (&'s str, &'s str);

/// The parts of groups: by the name of its feature, the types that each compiles. The feature of the whole group is all of
/// its parts, and what is in none of them.
#[derive(Default)]
pub(crate) struct Parts<'s>(BTreeMap<String, BTreeSet<Name<'s>>>);

impl<'s> Parts<'s> {
    /// One part for every kind that can be read, and one for the references.
    pub(crate) fn new(plan: &Plan<'s>) -> Self {
        let mut parts = Self::default();
        for module in plan.modules.values().filter(|module| is_cut(module)) {
            for of in &module.package.structs {
                let part = if resource::is_readable(plan, module, of) || TAKEN.contains(&of.name.as_str()) {
                    format!("{}-{}", feature(&module.group), names::snake(&of.name).replace('_', "-"))
                } else if module.group == "core" && is_reference(of) {
                    REFERENCES.to_owned()
                } else {
                    continue;
                };
                let types = parts.0.entry(part).or_default();
                collect(plan, module, &of.name, types);
                collect(plan, module, &format!("{}List", of.name), types);
            }
        }
        parts
    }

    /// The parts of a group.
    pub(crate) fn of_group(&self, group: &str) -> Vec<&str> {
        if !CUT.contains(&group) {
            return Vec::new();
        }
        let prefix = format!("{}-", feature(group));
        self.0.keys().map(String::as_str).filter(|part| part.starts_with(&prefix)).collect()
    }

    /// The feature that brings a type to another group: its own group's, or the smallest part that has it.
    pub(crate) fn bringing(&self, module: &Module<'_>, name: &str) -> String {
        let name = (module.package.path.as_str(), name);
        let having = self.0.iter().filter(|(_, types)| types.contains(&name));
        let smallest = having.min_by_key(|(part, types)| (*part != REFERENCES, types.len()));
        smallest.map_or_else(|| feature(&module.group), |(part, _)| part.clone())
    }

    /// Leaves out the features that bring nothing which the others do not bring too.
    pub(crate) fn reduce(&self, features: &mut BTreeSet<String>, wanted: &BTreeSet<Name<'_>>) {
        let whole = |part: &str| {
            CUT.iter().map(|group| feature(group)).find(|group| part.starts_with(&format!("{group}-")))
        };
        for one in features.clone() {
            let Some(types) = self.0.get(&one) else { continue };
            let others = || features.iter().filter(|other| **other != one);
            let brought: BTreeSet<_> = others().filter_map(|other| self.0.get(other)).flatten().collect();
            let is_whole = whole(&one).is_some_and(|group| features.contains(&group));
            if is_whole || types.iter().all(|name| !wanted.contains(name) || brought.contains(name)) {
                features.remove(&one);
            }
        }
    }

    /// The attribute of what is compiled when a type is.
    pub(crate) fn gate(&self, module: &Module<'_>, of: &Struct) -> String {
        let name = (module.package.path.as_str(), of.name.as_str());
        let having = self.0.iter().filter(|(_, types)| types.contains(&name));
        any(having.map(|(part, _)| part.as_str()), &module.group)
    }

    /// The attribute of what is compiled when anything of a group is.
    pub(crate) fn group_gate(&self, group: &str) -> String {
        any(self.of_group(group), group)
    }
}

/// Is this module's group cut into parts?
pub(crate) fn is_cut(module: &Module<'_>) -> bool {
    module.target == Target::Api && CUT.contains(&module.group.as_str())
}

fn any<'p>(features: impl IntoIterator<Item = &'p str>, group: &str) -> String {
    let features: Vec<String> = features.into_iter().map(|one| format!("feature = {one:?}")).collect();
    match features.as_slice() {
        [] => format!("#[cfg(feature = {:?})]", feature(group)),
        [one] => format!("#[cfg({one})]"),
        more => format!("#[cfg(any({}))]", more.join(", ")),
    }
}

fn is_reference(of: &Struct) -> bool {
    of.kinds.is_empty() && (of.name.ends_with("Reference") || of.name.ends_with("KeySelector"))
}

/// A struct, those of its fields and those that its subresources take, as far as they are of the same module.
fn collect<'s>(plan: &Plan<'s>, module: &Module<'s>, root: &str, into: &mut BTreeSet<Name<'s>>) {
    let mut open = vec![root.to_owned()];
    while let Some(name) = open.pop() {
        let Some(of) = module.package.structs.iter().find(|of| of.name == name) else { continue };
        if !into.insert((&module.package.path, &of.name)) {
            continue;
        }
        let fields = of.fields.iter().filter_map(|field| referred(&field.ty));
        let here = fields.filter(|name| name.package == module.package.path);
        open.extend(here.map(|name| name.name.clone()));
        open.extend(resource::payloads(plan, module, of));
    }
}
