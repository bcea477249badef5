//! The plan of the generator: Go packages to crates, modules and cargo features.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::parts::{Name, Parts};
use crate::schema::model::{Package, Schema, Type, TypeName};

/// A crate that generated types go to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Machinery,
    Api,
}

/// Where each package of the schema goes.
pub(crate) struct Plan<'s> {
    pub(crate) schema: &'s Schema,
    /// By Go import path.
    pub(crate) modules: BTreeMap<&'s str, Module<'s>>,
    /// The cargo features of parts of groups.
    pub(crate) parts: Parts<'s>,
}

/// A package as a Rust module.
pub(crate) struct Module<'s> {
    pub(crate) package: &'s Package,
    pub(crate) target: Target,
    /// Such as `core`, `apps`.
    pub(crate) group: String,
    /// Such as `v1`.
    pub(crate) version: String,
}

impl<'s> Plan<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        let mut modules = BTreeMap::new();
        for package in schema.packages.values() {
            let mut segments = package.path.rsplit('/');
            let (Some(version), Some(group)) = (segments.next(), segments.next()) else { continue };
            // Packages without a version (Go's runtime, version) have only types that are mapped by hand.
            if package.version.is_none() {
                continue;
            }
            let target = if group == "meta" { Target::Machinery } else { Target::Api };
            let module = Module { package, target, group: group.to_owned(), version: version.to_owned() };
            modules.insert(package.path.as_str(), module);
        }
        let plan = Self { schema, modules, parts: Parts::default() };
        let parts = Parts::new(&plan);
        Self { parts, ..plan }
    }

    /// The groups of the API crate, each with the features of the types that its own types hold; of one that is cut into
    /// parts, these.
    pub(crate) fn features(&self) -> BTreeMap<&str, BTreeSet<String>> {
        let mut features: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut held: BTreeMap<&str, BTreeSet<Name<'_>>> = BTreeMap::new();
        for module in self.modules.values().filter(|module| module.target == Target::Api) {
            let needs = features.entry(&module.group).or_default();
            let held = held.entry(&module.group).or_default();
            let fields = module.package.structs.iter().flat_map(|of| &of.fields);
            for name in fields.filter_map(|field| referred(&field.ty)) {
                if let Some(other) = self.modules.get(name.package.as_str())
                    && other.target == Target::Api
                    && other.group != module.group
                {
                    needs.insert(self.parts.bringing(other, &name.name));
                    held.insert((&name.package, &name.name));
                }
            }
        }
        for (group, needs) in &mut features {
            self.parts.reduce(needs, &held[group]);
            needs.extend(self.parts.of_group(group).into_iter().map(str::to_owned));
        }
        features
    }

    /// The groups that have a version without `alpha` or `beta` and that a plain API server serves.
    pub(crate) fn stable_groups(&self) -> BTreeSet<&str> {
        let stable = |module: &&Module<'_>| {
            module.target == Target::Api
                && !module.version.contains("alpha")
                && !module.version.contains("beta")
        };
        // Served by add-ons, or only ever sent to webhooks.
        let aside = ["metrics", "admission", "imagepolicy"];
        self.modules
            .values()
            .filter(stable)
            .map(|module| module.group.as_str())
            .filter(|group| !aside.contains(group))
            .collect()
    }
}

impl Module<'_> {
    /// The folder of the module's files, in the workspace.
    pub(crate) fn folder(&self) -> PathBuf {
        self.target.folder().join(&self.group).join(&self.version)
    }

    /// The module's path as code of `from` names it.
    pub(crate) fn path_from(&self, from: Target) -> String {
        let krate = if self.target == Target::Machinery { from.machinery() } else { "crate" };
        format!("{krate}::{}::{}", self.group, self.version)
    }
}

impl Target {
    /// How the crate calls the machinery crate.
    pub(crate) fn machinery(self) -> &'static str {
        match self {
            Self::Machinery => "crate",
            Self::Api => "client_rs_machinery",
        }
    }

    /// The folder that has only generated files.
    pub(crate) fn folder(self) -> PathBuf {
        match self {
            Self::Machinery => "crates/machinery/src/generated".into(),
            Self::Api => "crates/api/src/generated".into(),
        }
    }
}

pub(crate) fn referred(ty: &Type) -> Option<&TypeName> {
    match ty {
        Type::Struct(name) => Some(name),
        Type::Ptr(inner) | Type::Slice { item: inner, .. } | Type::Map { value: inner, .. } => {
            referred(inner)
        }
        Type::Scalar { .. } | Type::Special { .. } => None,
    }
}
