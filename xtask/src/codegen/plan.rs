//! What is generated where: Go packages to crates, modules and cargo features.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

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
            // Packages without a version (Go's runtime, version) hold nothing but what is mapped by hand.
            if package.version.is_none() {
                continue;
            }
            let target = if group == "meta" { Target::Machinery } else { Target::Api };
            let module = Module { package, target, group: group.to_owned(), version: version.to_owned() };
            modules.insert(package.path.as_str(), module);
        }
        Self { schema, modules }
    }

    /// The groups of the API crate, each with the groups whose types its own types hold.
    pub(crate) fn features(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut features: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for module in self.modules.values().filter(|module| module.target == Target::Api) {
            let needs = features.entry(&module.group).or_default();
            for field in module.package.structs.iter().flat_map(|of| &of.fields) {
                let other = referred(&field.ty).and_then(|name| self.modules.get(name.package.as_str()));
                if let Some(other) = other
                    && other.target == Target::Api
                    && other.group != module.group
                {
                    needs.insert(&other.group);
                }
            }
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

    /// The folder that holds nothing but generated files.
    pub(crate) fn folder(self) -> PathBuf {
        match self {
            Self::Machinery => "crates/machinery/src/generated".into(),
            Self::Api => "crates/api/src/generated".into(),
        }
    }
}

fn referred(ty: &Type) -> Option<&TypeName> {
    match ty {
        Type::Struct(name) => Some(name),
        Type::Ptr(inner) | Type::Slice { item: inner, .. } | Type::Map { value: inner, .. } => {
            referred(inner)
        }
        Type::Scalar { .. } | Type::Special { .. } => None,
    }
}
