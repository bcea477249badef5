//! The table of how built-in types are merged and owned, which the embedded API server applies by.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::emit::HEADER;
use crate::schema::model::{Facts, Field, Gvk, Scalar, Schema, Special, Struct, Type, TypeName};
use crate::schema::openapi::{FieldExtensions, ListType, MapType};

/// The folder that has only the table.
pub(crate) fn folder() -> PathBuf {
    "crates/apiserver/src/generated".into()
}

/// Adds the table's files.
pub(crate) fn files(schema: &Schema, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    files.insert(folder().join("merge_types.rs"), table(schema)?);
    let index = format!(
        "{HEADER}//! Facts of the built-in types.\n\npub(crate) mod facts;\npub(crate) mod merge_types;\n"
    );
    files.insert(folder().join("facts.rs"), facts());
    files.insert(folder().join("mod.rs"), index);
    Ok(())
}

/// Types that every schema has, by the name of their number.
const OWN: usize = 7;

struct Table<'s> {
    schema: &'s Schema,
    /// The Rust code of each type.
    types: Vec<String>,
    /// The index of each type by its code, so that equal types occur once.
    known: BTreeMap<String, usize>,
    /// By name, and by whether they are owned as one.
    structs: BTreeMap<(TypeName, bool), usize>,
    /// The names of fields that are keys somewhere: only their defaults matter.
    keys: BTreeSet<&'s str>,
}

/// The wording of facts, for the embedded server, without its tests.
fn facts() -> String {
    let source = include_str!("facts.rs");
    let code = source.split_once("#[cfg(test)]").map_or(source, |(code, _)| code);
    format!(
        "// Made by `cargo xtask codegen` from xtask/src/codegen/facts.rs: change that, not this.\n{code}"
    )
}

fn table(schema: &Schema) -> Result<String> {
    let keys = schema
        .extensions
        .values()
        .flat_map(|of| &of.fields)
        .flat_map(|field| field.list_map_keys.iter().map(String::as_str));
    let merge_keys = schema
        .packages
        .values()
        .flat_map(|package| &package.structs)
        .flat_map(|of| of.fields.iter().filter_map(|field| field.patch_merge_key.as_deref()));
    let keys = keys.chain(merge_keys).collect();
    let mut table =
        Table { schema, types: Vec::new(), known: BTreeMap::new(), structs: BTreeMap::new(), keys };
    let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
    for kind in served_kinds(schema) {
        let found = schema.packages.iter().find_map(|(package, content)| {
            let of = content.structs.iter().find(|of| of.kinds.contains(&kind))?;
            Some(TypeName { package: package.clone(), name: of.name.clone() })
        });
        let name = found.with_context(|| format!("no type for {kind:?}"))?;
        let id = table.structure(&name, None).with_context(|| name.to_string())?;
        let api_version = super::resource::api_version(&kind);
        kinds.insert((api_version, kind.kind), id);
    }
    let mut text = format!(
        "{HEADER}//! How the built-in types are merged and owned.\n\nuse std::borrow::Cow;\n\n\
         use client_rs_machinery::managed_fields::MergeSchema;\n\
         use client_rs_machinery::managed_fields::schema::{{Field, ListRule, Type, TypeId}};\n\n\
         /// The types.\npub(crate) static SCHEMA: MergeSchema = MergeSchema::of_constants(TYPES);\n\n\
         /// `apiVersion`, `kind` and type of each kind, sorted.\n#[rustfmt::skip]\n\
         pub(crate) static KINDS: &[(&str, &str, TypeId)] = &[\n"
    );
    for ((api_version, kind), id) in kinds {
        writeln!(text, "    ({api_version:?}, {kind:?}, {id}),")?;
    }
    text.push_str(
        "];\n\n#[rustfmt::skip]\nconst fn f(name: &'static str, ty: TypeId) -> Field { Field::new(name, ty) }\n\n\
         #[rustfmt::skip]\nstatic TYPES: &[Type] = &[\n",
    );
    for (at, of) in table.types.iter().enumerate() {
        writeln!(text, "    /* {} */ {of},", at + OWN)?;
    }
    text.push_str("];\n");
    Ok(text)
}

/// The kinds of all resources and subresources.
fn served_kinds(schema: &Schema) -> BTreeSet<Gvk> {
    let mut kinds = BTreeSet::new();
    for group in &schema.discovery.groups {
        for version in &group.versions {
            for resource in &version.resources {
                kinds.insert(Gvk {
                    group: group.name.clone(),
                    version: version.version.clone(),
                    kind: resource.kind.clone(),
                });
                kinds.extend(resource.subresources.iter().map(|sub| Gvk {
                    group: sub.group.clone().unwrap_or_else(|| group.name.clone()),
                    version: sub.version.clone().unwrap_or_else(|| version.version.clone()),
                    kind: sub.kind.clone(),
                }));
            }
        }
    }
    kinds
}

impl Table<'_> {
    fn structure(&mut self, name: &TypeName, map_type: Option<MapType>) -> Result<usize> {
        let of = self.schema.find(name).context("there is no such struct")?;
        let extensions = self.schema.extensions.get(name);
        let own = extensions.and_then(|of| of.map_type);
        let atomic = map_type.or(own) == Some(MapType::Atomic);
        if let Some(id) = self.structs.get(&(name.clone(), atomic)) {
            return Ok(*id);
        }
        // Its number comes first: it may hold itself.
        let id = self.types.len() + OWN;
        self.types.push(String::new());
        self.structs.insert((name.clone(), atomic), id);
        let text = self.fields(of, extensions.map(|of| of.fields.as_slice()).unwrap_or_default(), atomic)?;
        self.types[id - OWN] = text;
        Ok(id)
    }

    fn fields(&mut self, of: &Struct, extensions: &[FieldExtensions], atomic: bool) -> Result<String> {
        let schema = self.schema;
        let mut fields: BTreeMap<&str, String> = BTreeMap::new();
        for field in schema.json_fields(of) {
            let json = field.json.as_deref().context("a field without a name")?;
            let more = extensions.iter().find(|more| more.json == json);
            let id = self.field(field, more).with_context(|| json.to_owned())?;
            let text = match self.default(json, field, more) {
                Some(default) => format!("Field::with_default({json:?}, {id}, {default:?})"),
                None => format!("f({json:?}, {id})"),
            };
            fields.insert(json, text);
        }
        if fields.is_empty() {
            return Ok(format!("Type::map(MergeSchema::DEDUCED, {atomic})"));
        }
        let fields: Vec<String> = fields.into_values().collect();
        Ok(format!("Type::object(const {{ &[{}] }}, {atomic})", fields.join(", ")))
    }

    /// The default of a field that may be a key: the server's default, or the zero value of a field that is always written.
    fn default(&self, json: &str, field: &Field, more: Option<&FieldExtensions>) -> Option<String> {
        if !self.keys.contains(json) {
            return None;
        }
        if let Some(default) = more.and_then(|more| more.default.as_ref()) {
            return Some(default.to_string());
        }
        let zero = match &field.ty {
            Type::Scalar { scalar, .. } => match scalar {
                Scalar::Bool => "false",
                Scalar::Int32 | Scalar::Int64 | Scalar::Float64 => "0",
                Scalar::String => "\"\"",
                Scalar::Bytes => return None,
            },
            _ => return None,
        };
        (!field.omitempty).then(|| zero.to_owned())
    }

    fn field(&mut self, field: &Field, more: Option<&FieldExtensions>) -> Result<usize> {
        self.of_type(&field.ty, field, more)
    }

    fn of_type(&mut self, ty: &Type, field: &Field, more: Option<&FieldExtensions>) -> Result<usize> {
        let map_type = more.and_then(|more| more.map_type);
        Ok(match ty {
            Type::Ptr(inner) => return self.of_type(inner, field, more),
            Type::Struct(name) => {
                return self.structure(name, map_type).with_context(|| name.to_string());
            }
            Type::Scalar { scalar, .. } => match scalar {
                Scalar::String | Scalar::Bytes => 0,
                Scalar::Int32 | Scalar::Int64 | Scalar::Float64 => 1,
                Scalar::Bool => 2,
            },
            Type::Special { special, .. } => match special {
                Special::Duration => 0,
                Special::Time | Special::MicroTime => 3,
                Special::Quantity => 6,
                Special::RawExtension => 4,
                Special::Any
                | Special::IntOrString
                | Special::Json
                | Special::JsonSchemaPropsOrArray
                | Special::JsonSchemaPropsOrBool
                | Special::JsonSchemaPropsOrStringArray => 5,
                Special::FieldsV1 => self.intern("Type::map(MergeSchema::DEDUCED, false)".to_owned()),
                Special::StringList => {
                    self.intern("Type::list(MergeSchema::STRING, ListRule::Atomic)".to_owned())
                }
            },
            Type::Map { value, .. } => {
                let value = self.of_type(value, field, None)?;
                let atomic = map_type == Some(MapType::Atomic);
                self.intern(format!("Type::map({value}, {atomic})"))
            }
            Type::Slice { item, .. } => {
                let item = self.item(item)?;
                let merges = field.patch_strategy.iter().any(|strategy| strategy == "merge");
                let text = match more.and_then(|more| more.list_type) {
                    Some(ListType::Set) => format!("Type::list({item}, ListRule::Set)"),
                    Some(ListType::Map) => {
                        by(item, more.map(|more| more.list_map_keys.as_slice()).unwrap_or_default())
                    }
                    None if merges => match &field.patch_merge_key {
                        Some(key) => by(item, std::slice::from_ref(key)),
                        None => format!("Type::list({item}, ListRule::Set)"),
                    },
                    Some(ListType::Atomic) | None => format!("Type::list({item}, ListRule::Atomic)"),
                };
                self.intern(text)
            }
        })
    }

    /// The type of a list's items, without the facts of the field.
    fn item(&mut self, ty: &Type) -> Result<usize> {
        let plain = Field {
            name: String::new(),
            json: None,
            inline: false,
            omitempty: false,
            omitzero: false,
            pb: None,
            ty: ty.clone(),
            patch_strategy: Vec::new(),
            patch_merge_key: None,
            facts: Facts::default(),
        };
        self.of_type(ty, &plain, None)
    }

    fn intern(&mut self, text: String) -> usize {
        if let Some(id) = self.known.get(&text) {
            return *id;
        }
        let id = self.types.len() + OWN;
        self.types.push(text.clone());
        self.known.insert(text, id);
        id
    }
}

fn by(item: usize, keys: &[String]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| format!("Cow::Borrowed({key:?})")).collect();
    format!("Type::list_by({item}, const {{ &[{}] }})", keys.join(", "))
}
