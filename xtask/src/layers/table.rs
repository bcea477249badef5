//! `layers.txt`: which layers there are, lowest first.

use anyhow::{Context, Result, bail};

use super::source::Import;

/// All that `layers.txt` declares.
pub(super) struct Table {
    /// The layers of the crates.
    pub(super) crates: Section,
    /// The layers of the modules of one crate each.
    pub(super) modules: Vec<Section>,
}

/// The layers of one crate, or of the crates.
pub(super) struct Section {
    pub(super) name: String,
    /// Lowest first. Those of one layer do not see each other.
    layers: Vec<Vec<String>>,
    /// Imports against the layers that are known, and to be cut: from, to.
    pub(super) not_yet_cut: Vec<(String, String)>,
}

impl Table {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut sections: Vec<Section> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                sections.push(Section::new(name));
                continue;
            }
            let section =
                sections.last_mut().with_context(|| format!("line {}: no [section] yet", number + 1))?;
            if let Some(edge) = line.strip_prefix('!') {
                let (from, to) = edge
                    .split_once("->")
                    .with_context(|| format!("line {}: not `!from -> to`", number + 1))?;
                section.not_yet_cut.push((from.trim().to_owned(), to.trim().to_owned()));
            } else {
                let layer: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
                if let Some(twice) = layer.iter().find(|unit| section.layer_of_unit(unit).is_some()) {
                    bail!("line {}: `{twice}` is in two layers of [{}]", number + 1, section.name);
                }
                section.layers.push(layer);
            }
        }
        let crates =
            sections.iter().position(|section| section.name == "crates").context("no section [crates]")?;
        Ok(Self { crates: sections.remove(crates), modules: sections })
    }
}

impl Section {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), layers: Vec::new(), not_yet_cut: Vec::new() }
    }

    pub(super) fn units(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().flatten().map(String::as_str)
    }

    fn layer_of_unit(&self, unit: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.iter().any(|name| name == unit))
    }

    /// Where the layer of this module is from below.
    pub(super) fn layer(&self, module: &str) -> Option<usize> {
        self.layer_of_unit(self.unit(module))
    }

    /// The part of `a::b::c` that has its own layer: the longest declared prefix, else the top-level
    /// module.
    pub(super) fn unit<'a>(&self, path: &'a str) -> &'a str {
        let mut part = path;
        loop {
            if self.layer_of_unit(part).is_some() {
                return part;
            }
            match part.rsplit_once("::") {
                Some((parent, _)) => part = parent,
                None => return path.split("::").next().unwrap_or(path),
            }
        }
    }

    /// Importer and imported, if the import does not go down. The crate's root may import all of its modules.
    pub(super) fn against_the_layers<'a>(&self, import: &'a Import) -> Option<(&'a str, &'a str)> {
        let (from, to) = (self.unit(&import.from), self.unit(&import.to));
        if from.is_empty() || from == to {
            return None;
        }
        (self.layer(to)? >= self.layer(from)?).then_some((from, to))
    }

    pub(super) fn is_not_yet_cut(&self, from: &str, to: &str) -> bool {
        self.not_yet_cut.iter().any(|(a, b)| a == from && b == to)
    }
}
