//! `krs explain`

use std::fmt::Write as _;
use std::io::Write;

use anyhow::{Context, Result, bail};
use client_rs_client::discovery::{Discovery, DiscoveryOptions};
use client_rs_machinery::{GroupVersion, GroupVersionKind, Json};

use crate::GlobalArgs;
use crate::output::Output;
use crate::session::Session;

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A resource, and a field of it: pods, deployments.spec.template, events.events.k8s.io.reason
    #[arg(value_name = "RESOURCE[.FIELD...]")]
    words: Vec<String>,
    /// Print the names and types of all fields below, without descriptions
    #[arg(long)]
    recursive: bool,
    /// Use this version of the resource: GROUP/VERSION
    #[arg(long, value_name = "VERSION")]
    api_version: Option<String>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, out: &mut Output<'_>) -> Result<()> {
    let word = match args.words.as_slice() {
        [] => bail!(
            "You must specify the type of resource to explain. Use \"krs api-resources\" for a complete list of supported resources."
        ),
        [word] => word.trim_end_matches('.'),
        _ => bail!("We accept only this format: explain RESOURCE"),
    };
    let discovery = global.discovery()?;
    let (kind, path) = find(&Session::open(global)?, &*discovery, word, args.api_version.as_deref()).await?;
    let version = GroupVersion { group: kind.group.clone(), version: kind.version.clone() };
    let document =
        global.discovery_client(DiscoveryOptions::default())?.openapi().schema_json(&version).await?;
    let schemas = Schemas(&document["components"]["schemas"]);
    let schema = schemas.of_kind(&kind).with_context(|| format!("the server has no schema of {kind}"))?;

    let mut text = String::new();
    if !kind.group.is_empty() {
        let _ = writeln!(text, "GROUP:      {}", kind.group);
    }
    let _ = write!(text, "KIND:       {}\nVERSION:    {}\n\n", kind.kind, kind.version);
    out.write_all(text.as_bytes())?;
    let (name, schema) = schemas.field(schema, &path)?;
    out.write_all(schemas.explained(name, schema, args.recursive).as_bytes())?;
    Ok(())
}

/// The kind and the fields that a word names. The group may follow the resource, before the fields.
async fn find(
    session: &Session,
    discovery: &dyn Discovery,
    word: &str,
    version: Option<&str>,
) -> Result<(GroupVersionKind, Vec<String>)> {
    let parts: Vec<&str> = word.split('.').collect();
    let groups = discovery.groups().await?;
    let is_group = |name: &str| groups.groups.iter().any(|group| group.name == name);
    let named = (2..=parts.len()).rev().find(|end| is_group(&parts[1..*end].join("."))).unwrap_or(1);
    let mapping = session.find(&parts[..named].join(".")).await?;
    let fields = parts[named..].iter().map(|&part| part.to_owned()).collect();
    let Some(version) = version else { return Ok((mapping.kind.clone(), fields)) };
    let version = GroupVersion::parse(version)?;
    let plural = &mapping.resource.resource;
    let listed = discovery.resources_for(&version).await.map(|list| list.resources).unwrap_or_default();
    let Some(found) = listed.iter().find(|one| one.name == *plural) else {
        bail!("couldn't find resource for \"{}/{}, Resource={plural}\"", version.group, version.version);
    };
    let kind = found.kind.clone();
    Ok((GroupVersionKind { group: version.group, version: version.version, kind }, fields))
}

/// The schemas of a document, by name.
struct Schemas<'d>(&'d Json);

/// References are followed this far: a document may refer to itself.
const DEEPEST: usize = 32;

/// Descriptions are wrapped to this width, without their indentation.
const WIDTH: usize = 76;

/// Longer lists of values are cut after this many.
const MOST_VALUES: usize = 4;

impl<'d> Schemas<'d> {
    fn of_kind(&self, kind: &GroupVersionKind) -> Option<&'d Json> {
        let is_it = |schema: &&Json| {
            let kinds = schema["x-kubernetes-group-version-kind"].as_list().into_iter().flatten();
            kinds.into_iter().any(|one| {
                one["group"] == kind.group.as_str()
                    && one["version"] == kind.version.as_str()
                    && one["kind"] == kind.kind.as_str()
            })
        };
        self.0.as_map()?.into_iter().map(|(_, schema)| schema).find(is_it)
    }

    /// The schema that this one stands for: of its entries, or of its reference. `None` for one with its own type.
    fn inner(&self, schema: &'d Json) -> Option<Inner<'d>> {
        if let Some(entries) = get(schema, "items") {
            return Some(Inner { prefix: "[]", name: "", schema: entries });
        }
        if let Some(entries) = get(schema, "additionalProperties") {
            return Some(Inner { prefix: "map[string]", name: "", schema: entries });
        }
        if let Some(first) = schema["allOf"].as_list().into_iter().flatten().next() {
            return Some(Inner { prefix: "", name: "", schema: first });
        }
        let name = schema["$ref"].as_str()?.rsplit('/').next()?;
        let schema = get(self.0, name)?;
        Some(Inner { prefix: "", name, schema })
    }

    /// The schema and those that it stands for, from outside to inside.
    fn chain(&self, schema: &'d Json) -> Vec<Inner<'d>> {
        let mut chain = vec![Inner { prefix: "", name: "", schema }];
        while let Some(last) = chain.last()
            && chain.len() < DEEPEST
            && let Some(inner) = self.inner(last.schema)
        {
            chain.push(inner);
        }
        chain
    }

    /// The fields of a schema, or of its entries, by name.
    fn fields(&self, schema: &'d Json) -> Vec<(&'d str, &'d Json, bool)> {
        let chain = self.chain(schema);
        let Some(last) = chain.last() else { return Vec::new() };
        let required: Vec<&str> =
            last.schema["required"].as_list().into_iter().flatten().filter_map(Json::as_str).collect();
        let properties = last.schema["properties"].as_map().into_iter().flatten();
        let mut fields: Vec<_> = properties
            .into_iter()
            .map(|(name, field)| (name.as_str(), field, required.contains(&name.as_str())))
            .collect();
        fields.sort_by_key(|(name, ..)| *name);
        fields
    }

    /// The field at a path, with its name; the schema itself without a name for an empty path.
    fn field(&self, schema: &'d Json, path: &[String]) -> Result<(Option<&'d str>, &'d Json)> {
        let mut at = (None, schema);
        for wanted in path {
            let found = self.fields(at.1).into_iter().find(|(name, ..)| name == wanted);
            let Some((name, field, _)) = found else { bail!("field {wanted:?} does not exist") };
            at = (Some(name), field);
        }
        Ok(at)
    }

    fn type_name(&self, schema: &'d Json) -> String {
        let chain = self.chain(schema);
        let mut text: String = chain.iter().map(|inner| inner.prefix).collect();
        let Some(last) = chain.last() else { return text };
        let name = last.name.rsplit('.').next().unwrap_or_default();
        text.push_str(match last.schema["type"].as_str() {
            Some(of) if of != "object" => of,
            _ if !name.is_empty() => name,
            _ => "Object",
        });
        text
    }

    fn explained(&self, name: Option<&str>, schema: &'d Json, recursive: bool) -> String {
        let mut text = String::new();
        if let Some(name) = name {
            let _ = writeln!(text, "FIELD: {name} <{}>", self.type_name(schema));
            let values = values(schema);
            text.push_str(if values.is_empty() { "\n" } else { "ENUM:\n" });
            for value in values {
                let _ = writeln!(text, "    {value}");
            }
            text.push('\n');
        }
        let chain = self.chain(schema);
        let descriptions = chain.iter().filter_map(|inner| inner.schema["description"].as_str());
        let description: String =
            descriptions.filter(|text| !text.is_empty()).flat_map(|text| [text, "\n"]).collect();
        let description = if description.is_empty() { "<empty>" } else { &description };
        text.push_str("DESCRIPTION:\n");
        indented(description, "    ", &mut text);
        let fields = self.fields(schema);
        if !fields.is_empty() {
            text.push_str("FIELDS:\n");
            let mut within = names(&chain);
            for (name, field, required) in fields {
                self.listed(name, field, required, 2, &mut text);
                if recursive {
                    self.below(field, 4, &mut within, &mut text);
                } else {
                    let description = field["description"].as_str().filter(|text| !text.is_empty());
                    indented(description.unwrap_or("<no description>"), "    ", &mut text);
                    text.push('\n');
                }
            }
        }
        text.push('\n');
        text
    }

    /// The fields below a field, each on a line; `within` are the types around it, which are not opened again.
    fn below(&self, field: &'d Json, indent: usize, within: &mut Vec<&'d str>, text: &mut String) {
        let own = names(&self.chain(field));
        if own.iter().any(|name| within.contains(name)) {
            return;
        }
        let before = within.len();
        within.extend(own);
        for (name, field, required) in self.fields(field) {
            self.listed(name, field, required, indent, text);
            self.below(field, indent + 2, within, text);
        }
        within.truncate(before);
    }

    fn listed(&self, name: &str, field: &'d Json, required: bool, indent: usize, text: &mut String) {
        let (of, mark) = (self.type_name(field), if required { " -required-" } else { "" });
        let _ = writeln!(text, "{:indent$}{name}\t<{of}>{mark}", "");
        let values = values(field);
        if !values.is_empty() {
            let shown = values.iter().take(MOST_VALUES).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if values.len() > MOST_VALUES { ", ...." } else { "" };
            let _ = writeln!(text, "{:indent$}enum: {shown}{more}", "");
        }
    }
}

/// A schema that another one stands for.
struct Inner<'d> {
    /// Written before its name.
    prefix: &'static str,
    /// The name that it was referred to by.
    name: &'d str,
    schema: &'d Json,
}

fn names<'d>(chain: &[Inner<'d>]) -> Vec<&'d str> {
    chain.iter().map(|inner| inner.name).filter(|name| !name.is_empty()).collect()
}

/// An object inside another; `None` for anything else.
fn get<'d>(object: &'d Json, key: &str) -> Option<&'d Json> {
    object.as_map()?.get(key).filter(|inner| inner.as_map().is_some())
}

/// The allowed values, as text.
fn values(schema: &Json) -> Vec<String> {
    let values = schema["enum"].as_list().into_iter().flatten();
    let texts = values.into_iter().map(|value| match value.as_str() {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => String::from_utf8_lossy(&value.to_vec()).into_owned(),
    });
    texts.collect()
}

/// Writes each line of a text, wrapped, behind an indentation.
fn indented(text: &str, indent: &str, out: &mut String) {
    for line in text.split('\n') {
        for part in wrapped(line) {
            let _ = writeln!(out, "{indent}{part}");
        }
    }
}

/// A line in parts of at most [`WIDTH`] characters, cut between words. A longer word has a part for itself.
fn wrapped(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut gap = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let space = rest.len() - rest.trim_start_matches(' ').len();
        let end = rest[space..].find(' ').map_or(rest.len(), |end| space + end);
        let (spaces, word) = (&rest[..space], &rest[space..end]);
        gap.push_str(spaces);
        rest = &rest[end..];
        let length = part.chars().count() + gap.chars().count() + word.chars().count();
        if length > WIDTH && !part.trim().is_empty() {
            parts.push(std::mem::take(&mut part));
            gap.clear();
        }
        part.push_str(&gap);
        part.push_str(word);
        gap.clear();
    }
    parts.push(part);
    parts
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn lines_are_cut_between_words() {
        let ten = "1234567890 ".repeat(7);
        assert_eq!(wrapped(&format!("{ten}1234 x")), [ten.trim_end(), "1234 x"]);
        let long = "x".repeat(100);
        assert_eq!(wrapped(&format!("a {long} b")), ["a", long.as_str(), "b"]);
        assert_eq!(wrapped("  two  spaces"), ["  two  spaces"]);
        assert_eq!(wrapped(""), [""]);
    }

    #[test]
    fn a_schema_that_contains_itself_is_opened_once() {
        let document = json!({
            "a.Tree": {"type": "object", "properties": {
                "children": {"type": "array", "items": {"$ref": "#/components/schemas/a.Tree"}},
                "leaf": {"allOf": [{"$ref": "#/components/schemas/a.Leaf"}]},
            }},
            "a.Leaf": {"type": "object", "properties": {"kind": {"type": "string", "enum": ["a", "b", "c", "d", "e", ""]}}},
            "a.Loop": {"$ref": "#/components/schemas/a.Loop"},
        });
        let schemas = Schemas(&document);
        let root = json!({"allOf": [{"$ref": "#/components/schemas/a.Tree"}]});
        let text = schemas.explained(Some("tree"), &root, true);
        let expected = "FIELD: tree <Tree>\n\n\nDESCRIPTION:\n    <empty>\nFIELDS:\n  children\t<[]Tree>\n  leaf\t<Leaf>\n    \
                        kind\t<string>\n    enum: a, b, c, d, ....\n\n";
        assert_eq!(text, expected);
        let (name, kind) = schemas.field(&root, &["leaf".to_owned(), "kind".to_owned()]).unwrap();
        assert_eq!((name, schemas.type_name(kind)), (Some("kind"), "string".to_owned()));
        let error = schemas.field(&root, &["stem".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "field \"stem\" does not exist");
        assert_eq!(schemas.type_name(&document["a.Loop"]), "Loop");
    }
}
