//! The types of the API and their fields, from generated data.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::generated::facts;
use client_rs_machinery::collections::VecMap;

/// The generated data; `xtask/src/codegen/openapi.rs` describes its format.
pub(crate) static VERSION_SPEC: &str = include_str!("../generated/definitions.txt");

pub(crate) static TYPES: LazyLock<VecMap<&'static str, Definition>> = LazyLock::new(|| read(VERSION_SPEC));
/// The groups and versions of packages, and whether the API reference has them.
pub(crate) static PACKAGES: LazyLock<HashMap<&'static str, (&'static str, bool)>> = LazyLock::new(|| {
    let lines = VERSION_SPEC.lines().filter_map(|line| line.strip_prefix('%')?.split_once(' '));
    let packages = lines.map(|(name, rest)| match rest.strip_suffix(" *") {
        Some(version) => (name, (version, true)),
        None => (name, (rest, false)),
    });
    packages.collect()
});
static KINDS: LazyLock<HashMap<Gvk, &'static str>> = LazyLock::new(|| {
    let kinds = TYPES.iter().flat_map(|(name, of)| of.kinds.iter().map(|kind| (*kind, *name)));
    kinds.collect()
});

/// Group, version and kind.
type Gvk = (&'static str, &'static str, &'static str);

/// A type.
#[derive(Debug, Default)]
pub(crate) struct Definition {
    pub(crate) package: &'static str,
    /// Whether it is atomic: one manager owns it as a whole.
    pub(crate) atomic: bool,
    /// Whether it belongs to every group.
    pub(crate) everywhere: bool,
    pub(crate) kinds: Vec<Gvk>,
    /// The unions in JSON; may be empty.
    pub(crate) unions: &'static str,
    pub(crate) facts: Vec<facts::Fact<'static>>,
    pub(crate) fields: Vec<Field>,
}

/// A field of a type.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) shape: &'static str,
    pub(crate) special: Vec<(&'static str, &'static str)>,
}

/// The definition of a built-in kind; `None` for other kinds.
pub(crate) fn of_kind(group: &str, version: &str, kind: &str) -> Option<&'static str> {
    // The keys are `'static`; a lookup needs a shorter lifetime.
    let kinds: &HashMap<(&str, &str, &str), &'static str> = &KINDS;
    kinds.get(&(group, version, kind)).copied()
}

fn read(text: &'static str) -> VecMap<&'static str, Definition> {
    let mut types: VecMap<&'static str, Definition> = VecMap::new();
    let mut current = "";
    for line in text.lines() {
        if let Some(head) = line.strip_prefix('@') {
            let mut words = head.split(' ');
            current = words.next().unwrap_or_default();
            let package = current.rsplit_once('.').map(|(package, _)| package).unwrap_or_default();
            let definition = types.entry(current).or_default();
            definition.package = package;
            for word in words {
                match word {
                    "~" => definition.atomic = true,
                    "*" => definition.everywhere = true,
                    unions if unions.starts_with("U=") => definition.unions = &unions[2..],
                    fact if fact.as_bytes().get(1) == Some(&b'=') => {
                        definition.facts.extend(fact.split_once('='));
                    }
                    kind => {
                        let mut parts = kind.splitn(3, '/');
                        if let (Some(group), Some(version), Some(kind)) =
                            (parts.next(), parts.next(), parts.next())
                        {
                            definition.kinds.push((group, version, kind));
                        }
                    }
                }
            }
        } else if let Some(field) = line.strip_prefix(' ') {
            let mut words = field.split(' ');
            let (Some(name), Some(shape)) = (words.next(), words.next()) else { continue };
            let required = name.ends_with('!');
            let name = name.strip_suffix('!').unwrap_or(name);
            let special = words.filter_map(|word| word.split_once('=')).collect();
            types.entry(current).or_default().fields.push(Field { name, required, shape, special });
        }
    }
    types
}
