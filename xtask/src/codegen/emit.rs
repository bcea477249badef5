//! The text of one generated struct.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::names::{identifier, snake};
use super::plan::{Module, Plan};
use super::types::{RustType, field_type, is_inline};
use crate::schema::model::{Field, Gvk, Struct, Type, TypeName};

/// The first line of every generated file.
pub(crate) const HEADER: &str = "// Made by `cargo xtask codegen` from schema: change those, not this.\n";

/// Fields that `Debug` does not show.
const SENSITIVE: &[(&str, &str)] = &[
    ("Secret", "data"),
    ("Secret", "stringData"),
    ("TokenRequestStatus", "token"),
    ("TokenReviewSpec", "token"),
];

/// Whether a field is the inlined `apiVersion` and `kind`, which a Rust type has in its own type.
pub(crate) fn is_type_meta(field: &Field) -> bool {
    matches!(&field.ty, Type::Struct(name) if field.inline && name.name == "TypeMeta")
        || matches!(field.json.as_deref(), Some("apiVersion" | "kind")) && field.pb.is_none()
}

/// The kind that an object of this struct says it is; a watch event, alone, says none.
fn named_kind(of: &Struct) -> Option<&Gvk> {
    of.kinds.first().filter(|_| of.fields.iter().any(is_type_meta))
}

/// A field of the Rust struct.
struct Member<'s> {
    name: String,
    field: &'s Field,
    ty: RustType,
}

/// One protobuf entry: a member, or an inlined message of members.
enum Entry {
    Member(usize),
    Inline(BTreeMap<u32, Entry>),
}

struct Shape<'s> {
    members: Vec<Member<'s>>,
    wire: BTreeMap<u32, Entry>,
}

/// The whole file of a struct.
pub(crate) fn file(plan: &Plan<'_>, module: &Module<'_>, of: &Struct) -> Result<String> {
    let mut shape = shape(plan, of).with_context(|| format!("{}.{}", module.package.path, of.name))?;
    if of.name == "List" {
        // The one kind that has the same name as its content.
        for member in &mut shape.members {
            let machinery = module.target.machinery();
            if member.ty.text.starts_with("List<") {
                member.ty.text = format!("{machinery}::{}", member.ty.text);
                member.ty.empty = format!("{machinery}::{}", member.ty.empty);
            }
        }
    }
    let mut text = HEADER.to_owned();
    imports(plan, module, of, &shape, &mut text)?;
    structure(plan, module, of, &shape, &mut text)?;
    promotion(of, &shape, &mut text)?;
    descriptor(module, of, &shape, &mut text)?;
    fields_impl(of, &shape, &mut text)?;
    super::resource::impls(plan, module, of, &mut text)?;
    Ok(text)
}

fn shape<'s>(plan: &Plan<'s>, of: &'s Struct) -> Result<Shape<'s>> {
    let mut members = Vec::new();
    let wire = collect(plan, of, &mut members)?;
    Ok(Shape { members, wire })
}

fn collect<'s>(
    plan: &Plan<'s>,
    of: &'s Struct,
    members: &mut Vec<Member<'s>>,
) -> Result<BTreeMap<u32, Entry>> {
    let mut wire = BTreeMap::new();
    for field in &of.fields {
        if is_type_meta(field) {
            continue;
        }
        let number = field.pb.map(|pb| pb.number);
        if let (Type::Struct(name), true) = (&field.ty, field.inline)
            && is_inline(plan, name)?
        {
            let inner = plan.schema.find(name).with_context(|| format!("there is no {name}"))?;
            let entries = collect(plan, inner, members)?;
            if let Some(number) = number {
                wire.insert(number, Entry::Inline(entries));
            }
            continue;
        }
        let json = match &field.json {
            Some(json) => json,
            None if field.inline => &field.name,
            None => continue,
        };
        if let Some(number) = number {
            wire.insert(number, Entry::Member(members.len()));
        }
        let is_word = json.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        let name = identifier(snake(if is_word { json } else { &field.name }));
        members.push(Member { name, field, ty: field_type(plan, &field.ty)? });
    }
    Ok(wire)
}

fn imports(
    plan: &Plan<'_>,
    module: &Module<'_>,
    of: &Struct,
    shape: &Shape<'_>,
    text: &mut String,
) -> Result<()> {
    let machinery = module.target.machinery();
    let mut names: BTreeSet<&str> =
        shape.members.iter().flat_map(|member| member.ty.imports.iter().copied()).collect();
    names.remove(of.name.as_str());
    let mut wire = vec!["Descriptor", "FieldMut", "FieldRef", "Fields"];
    if !shape.members.is_empty() {
        wire.extend(["Field", "Flags"]);
    }
    if !shape.wire.is_empty() {
        wire.push("Wire");
    }
    if named_kind(of).is_some() {
        wire.push("TypeMeta");
    }
    wire.sort_unstable();
    let mut others: BTreeSet<&TypeName> =
        shape.members.iter().filter_map(|member| member.ty.message.as_ref()).collect();
    others.retain(|name| name.package != module.package.path || name.name != of.name);
    writeln!(text, "use {machinery}::wire::{{{}}};", wire.join(", "))?;
    if !names.is_empty() {
        writeln!(text, "use {machinery}::{{{}}};", names.into_iter().collect::<Vec<_>>().join(", "))?;
    }
    for name in others {
        if name.package == module.package.path {
            writeln!(text, "use super::{};", name.name)?;
        } else {
            let other =
                plan.modules.get(name.package.as_str()).with_context(|| format!("no module for {name}"))?;
            writeln!(text, "use {}::{};", other.path_from(module.target), name.name)?;
        }
    }
    Ok(())
}

fn structure(
    plan: &Plan<'_>,
    module: &Module<'_>,
    of: &Struct,
    shape: &Shape<'_>,
    text: &mut String,
) -> Result<()> {
    writeln!(text, "\n/// {}", super::openapi::type_doc(plan, module, of))?;
    writeln!(text, "#[derive(Clone, PartialEq)]\npub struct {} {{", of.name)?;
    for member in &shape.members {
        writeln!(text, "/// {}", super::openapi::field_doc(plan, module, of, member.field)?)?;
        writeln!(text, "pub {}: {},", member.name, member.ty.text)?;
    }
    writeln!(
        text,
        "}}\n\nimpl {name} {{\n/// Every field empty.\npub const EMPTY: Self = Self {{",
        name = of.name
    )?;
    for member in &shape.members {
        writeln!(text, "{}: {},", member.name, member.ty.empty)?;
    }
    writeln!(text, "}};\n}}\n")?;
    Ok(())
}

/// Go promotes the fields of an embedded struct to its owner; a large one that is kept apart is promoted by `Deref`.
fn promotion(of: &Struct, shape: &Shape<'_>, text: &mut String) -> Result<()> {
    let mut embedded = shape.members.iter().filter(|member| member.field.inline);
    let (Some(member), None) = (embedded.next(), embedded.next()) else { return Ok(()) };
    let Some(target) = &member.ty.message else { return Ok(()) };
    let (name, field, target) = (&of.name, &member.name, &target.name);
    writeln!(
        text,
        "impl std::ops::Deref for {name} {{ type Target = {target};\n\nfn deref(&self) -> &{target} {{ &self.{field} }} }}\n\n\
         impl std::ops::DerefMut for {name} {{ fn deref_mut(&mut self) -> &mut {target} {{ &mut self.{field} }} }}\n"
    )?;
    Ok(())
}

fn descriptor(module: &Module<'_>, of: &Struct, shape: &Shape<'_>, text: &mut String) -> Result<()> {
    let type_meta = match named_kind(of) {
        None => "None".to_owned(),
        Some(kind) => format!(
            "Some(TypeMeta {{ api_version: {:?}, kind: {:?}, everywhere: {} }})",
            super::resource::api_version(kind),
            kind.kind,
            of.everywhere || of.kinds.len() > 1
        ),
    };
    writeln!(text, "{}::message!({}, DESCRIPTOR);\n", module.target.machinery(), of.name)?;
    writeln!(text, "static DESCRIPTOR: Descriptor = Descriptor {{")?;
    writeln!(text, "name: {:?},\ntype_meta: {type_meta},\nfields: &[", of.name)?;
    for member in &shape.members {
        writeln!(text, "{},", field_facts(of, member))?;
    }
    writeln!(text, "],\nwire: {},\n}};\n", wire_facts(&shape.wire, &shape.members))?;
    Ok(())
}

fn field_facts(of: &Struct, member: &Member<'_>) -> String {
    let field = member.field;
    let json = field.json.as_deref().unwrap_or(&member.name);
    let mut flags = Vec::new();
    if field.inline {
        flags.push("INLINE");
    }
    if field.omitempty && !member.ty.absent_when_zero {
        flags.push("OMIT_EMPTY");
    }
    if field.omitzero {
        flags.push("OMIT_ZERO");
    }
    if SENSITIVE.contains(&(of.name.as_str(), json)) {
        flags.push("SENSITIVE");
    }
    if of.name == "ObjectMeta" && json == "managedFields" {
        flags.push("MANAGED_FIELDS");
    }
    for strategy in &field.patch_strategy {
        match strategy.as_str() {
            "merge" => flags.push("PATCH_MERGE"),
            "retainKeys" => flags.push("PATCH_RETAIN_KEYS"),
            "replace" => flags.push("PATCH_REPLACE"),
            _ => {}
        }
    }
    let mut all = format!("Flags::{}", flags.first().unwrap_or(&"NONE"));
    for flag in flags.iter().skip(1) {
        let _ = write!(all, ".and(Flags::{flag})");
    }
    let mut facts = format!("Field::new({json:?}, {all})");
    if let Some(message) = &member.ty.message {
        let _ = write!(facts, ".of::<{}>()", message.name);
    }
    if let Some(key) = &field.patch_merge_key {
        let _ = write!(facts, ".merged_by({key:?})");
    }
    facts
}

fn wire_facts(wire: &BTreeMap<u32, Entry>, members: &[Member<'_>]) -> String {
    let mut facts = String::from("&[");
    for (number, entry) in wire {
        match entry {
            Entry::Member(index) => {
                let how = if members[*index].ty.absent_when_zero { "always" } else { "field" };
                let _ = write!(facts, "Wire::{how}({number}, {index}), ");
            }
            Entry::Inline(inner) => {
                let _ = write!(facts, "Wire::inline({number}, {}), ", wire_facts(inner, members));
            }
        }
    }
    facts.push(']');
    facts
}

fn fields_impl(of: &Struct, shape: &Shape<'_>, text: &mut String) -> Result<()> {
    // Called through a vtable. If they could be inlined, every crate with a vtable of the type would compile them again.
    let attribute = "#[inline(never)]";
    writeln!(text, "impl Fields for {} {{", of.name)?;
    writeln!(text, "{attribute} fn descriptor(&self) -> &'static Descriptor {{ &DESCRIPTOR }}\n")?;
    for (name, reference, content) in [("field", "&", "FieldRef"), ("field_mut", "&mut ", "FieldMut")] {
        let index = if shape.members.is_empty() { "_" } else { "index" };
        writeln!(text, "{attribute} fn {name}({reference}self, {index}: usize) -> {content}<'_> {{")?;
        if shape.members.is_empty() {
            writeln!(text, "{content}::NONE")?;
        } else {
            writeln!(text, "match index {{")?;
            for (index, member) in shape.members.iter().enumerate() {
                let how = member.ty.access();
                writeln!(text, "{index} => {content}::{how}({reference}self.{}),", member.name)?;
            }
            writeln!(text, "_ => {content}::NONE,\n}}")?;
        }
        writeln!(text, "}}\n")?;
    }
    writeln!(text, "}}")?;
    Ok(())
}
