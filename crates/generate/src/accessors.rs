//! Accessors: a struct a group and version, a method a kind, as client-gen writes them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::names;
use crate::types::Kind;

pub(crate) fn write(kinds: &[Kind], krate: &str) -> String {
    let mut groups: BTreeMap<(&str, &str), Vec<&Kind>> = BTreeMap::new();
    for kind in kinds {
        groups.entry((&kind.group, &kind.version)).or_default().push(kind);
    }
    let mut out = String::new();
    for ((group, version), kinds) in groups {
        let first = group.split('.').next().unwrap_or(group);
        let name = format!("{}{}Client", names::type_name(first), names::type_name(version));
        let _ = writeln!(out, "/// The kinds of `{group}/{version}`.");
        let _ = writeln!(out, "#[derive(Clone, Debug)]");
        let _ = writeln!(out, "pub struct {name}(RestClient);\n");
        let _ = writeln!(out, "impl {name} {{");
        let _ = writeln!(out, "    /// Over a client.");
        let _ = writeln!(out, "    pub fn new(rest: RestClient) -> Self {{\n        Self(rest)\n    }}");
        for kind in kinds {
            let path = format!("{}::{}", kind.module(), names::type_name(&kind.kind));
            let method = names::field(&kind.plural);
            let _ = writeln!(out, "\n    /// `{}`.", kind.kind);
            let _ = if kind.namespaced {
                writeln!(
                    out,
                    "    pub fn {method}<W: {krate}::client::api::Within>(&self, within: W) -> \
                     {krate}::client::Api<{path}, W::Reach> {{\n        {krate}::client::Api::within(&self.0, within)\n    }}"
                )
            } else {
                writeln!(
                    out,
                    "    pub fn {method}(&self) -> {krate}::client::Api<{path}> {{\n        \
                     {krate}::client::Api::cluster(&self.0)\n    }}"
                )
            };
        }
        out.push_str("}\n\n");
    }
    out
}
