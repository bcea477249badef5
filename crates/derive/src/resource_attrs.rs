//! `#[resource(...)]`: facts of the definition that the type of the spec does not contain.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{DeriveInput, Error, Ident, LitInt, LitStr, Path, Result, Token, Type, token};

use crate::names;
use crate::paths::{self, Known};
use crate::schema_attrs::{Rule, flag, parsed, path, rule};
use crate::unknown;

/// The arguments of the attribute, checked.
// Each flag is an argument of the attribute.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Attributes {
    pub(crate) krate: Option<Path>,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) root: Ident,
    pub(crate) plural: String,
    /// The span of the plural, or of the kind that it is derived from.
    pub(crate) plural_span: Span,
    pub(crate) singular: String,
    pub(crate) namespaced: bool,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) status: Option<Type>,
    /// Whether the status is a subresource; otherwise it is a field like the spec.
    pub(crate) status_subresource: bool,
    /// The fields next to the spec and the status.
    pub(crate) extra: Option<Type>,
    /// An object may have no spec.
    pub(crate) optional_spec: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) columns: Vec<Column>,
    pub(crate) selectable: Vec<String>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    pub(crate) deprecated: bool,
    pub(crate) deprecation_warning: Option<String>,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) annotations: Vec<(String, String)>,
    pub(crate) derives: Vec<Path>,
    pub(crate) description: Option<String>,
}

pub(crate) struct Scale {
    pub(crate) spec: String,
    pub(crate) status: String,
    pub(crate) selector: Option<String>,
}

pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) json_path: String,
    pub(crate) description: String,
    pub(crate) format: String,
    pub(crate) priority: i32,
}

/// The arguments that were read so far.
#[derive(Default)]
struct Reading {
    krate: Option<Path>,
    group: Option<LitStr>,
    version: Option<LitStr>,
    kind: Option<LitStr>,
    root: Option<Ident>,
    plural: Option<LitStr>,
    singular: Option<LitStr>,
    namespaced: bool,
    short_names: Vec<String>,
    categories: Vec<String>,
    status: Option<Type>,
    status_subresource: Option<(bool, Span)>,
    extra: Option<Type>,
    optional_spec: bool,
    scale: Option<(Scale, Span)>,
    columns: Vec<Column>,
    selectable: Vec<LitStr>,
    /// Paths, and the fields that they begin with.
    paths: Paths,
    rules: Vec<Rule>,
    served: Option<bool>,
    storage: Option<bool>,
    deprecated: bool,
    deprecation_warning: Option<String>,
    labels: Vec<(String, String)>,
    annotations: Vec<(String, String)>,
    derives: Vec<Path>,
    description: Option<String>,
}

pub(crate) fn read(input: &DeriveInput) -> Result<Attributes> {
    let mut reading = Reading::default();
    let mut found = None;
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("resource")) {
        found = Some(attr);
        attr.parse_nested_meta(|meta| reading.word(&meta))?;
    }
    let Some(attr) = found else {
        let example = "the attribute is missing: `#[resource(group = \"example.com\", version = \"v1\", kind = \"…\", namespaced)]`";
        return Err(Error::new(input.ident.span(), example));
    };
    let missing = |what: &str| Error::new_spanned(attr, format!("`{what} = \"…\"` is missing"));
    let group = reading.group.ok_or_else(|| missing("group"))?;
    let version = reading.version.ok_or_else(|| missing("version"))?;
    let kind = reading.kind.ok_or_else(|| missing("kind"))?;
    if input.ident == kind.value() && reading.root.is_none() {
        let why = format!(
            "the struct of the kind would have the same name as this struct: rename this one to `{}Spec`, or set `root = …`",
            kind.value()
        );
        return Err(Error::new(kind.span(), why));
    }
    let plural_span = reading.plural.as_ref().map_or_else(|| kind.span(), LitStr::span);
    let plural = reading.plural.map_or_else(|| names::plural(&kind.value()), |plural| plural.value());
    if plural.len() + 1 + group.value().len() > 253 {
        return Err(Error::new(
            group.span(),
            "plural name and group are longer than 253 characters together",
        ));
    }
    if let Some((_, span)) = &reading.scale
        && reading.status.is_none()
    {
        return Err(Error::new(*span, "`scale` needs a status; add `status = …`"));
    }
    if let Some((_, span)) = reading.status_subresource.filter(|_| reading.status.is_none()) {
        return Err(Error::new(span, "`status_subresource` needs a status; add `status = …`"));
    }
    let known = Known::of(input, reading.status.is_some(), reading.extra.is_some())?;
    for (text, path) in &reading.paths {
        known.check(text, path)?;
    }
    selectable_fit(&reading.selectable)?;
    Ok(Attributes {
        krate: reading.krate,
        root: reading.root.unwrap_or_else(|| Ident::new(&kind.value(), kind.span())),
        singular: reading.singular.map_or_else(|| kind.value().to_lowercase(), |singular| singular.value()),
        group: group.value(),
        version: version.value(),
        kind: kind.value(),
        plural,
        plural_span,
        namespaced: reading.namespaced,
        short_names: reading.short_names,
        categories: reading.categories,
        status_subresource: reading.status.is_some()
            && reading.status_subresource.is_none_or(|(subresource, _)| subresource),
        status: reading.status,
        extra: reading.extra,
        optional_spec: reading.optional_spec,
        scale: reading.scale.map(|(scale, _)| scale),
        columns: reading.columns,
        selectable: reading.selectable.iter().map(LitStr::value).collect(),
        rules: reading.rules,
        served: reading.served.unwrap_or(true),
        storage: reading.storage.unwrap_or(true),
        deprecated: reading.deprecated,
        deprecation_warning: reading.deprecation_warning,
        labels: reading.labels,
        annotations: reading.annotations,
        derives: reading.derives,
        description: reading.description,
    })
}

/// The arguments of `#[resource(...)]`.
const WORDS: [&str; 25] = [
    "crate",
    "group",
    "version",
    "kind",
    "root",
    "plural",
    "singular",
    "namespaced",
    "short_name",
    "category",
    "status",
    "status_subresource",
    "extra",
    "optional_spec",
    "scale",
    "column",
    "selectable",
    "rule",
    "served",
    "storage",
    "deprecated",
    "label",
    "annotation",
    "derive",
    "description",
];

impl Reading {
    fn word(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "crate" => self.krate = Some(path(meta)?),
            "group" => self.group = Some(checked(meta, names::group)?),
            "version" => self.version = Some(checked(meta, names::label)?),
            "kind" => self.kind = Some(checked(meta, names::kind)?),
            "root" | "struct" => self.root = Some(parsed(meta)?),
            "plural" => self.plural = Some(checked(meta, names::label)?),
            "singular" => self.singular = Some(checked(meta, names::label)?),
            "namespaced" => self.namespaced = flag(meta)?,
            "short_name" | "shortname" => self.short_names.push(checked(meta, names::label)?.value()),
            "category" => self.categories.push(checked(meta, names::label)?.value()),
            "status" => self.status = Some(parsed(meta)?),
            "status_subresource" => {
                self.status_subresource = Some((flag(meta)?, meta.path.segments[0].ident.span()));
            }
            "extra" => self.extra = Some(parsed(meta)?),
            "optional_spec" => self.optional_spec = flag(meta)?,
            "scale" => {
                let scale = scale(meta, &mut self.paths)?;
                self.scale = Some((scale, meta.path.segments[0].ident.span()));
            }
            "column" | "printcolumn" => self.columns.push(column(meta, &mut self.paths)?),
            "selectable" => {
                let text: LitStr = meta.value()?.parse()?;
                self.paths.push((text.clone(), paths::fields(&text)?));
                self.selectable.push(text);
            }
            "rule" | "validation" => self.rules.push(rule(meta)?),
            "served" => self.served = Some(flag(meta)?),
            "storage" => self.storage = Some(flag(meta)?),
            "deprecated" => {
                self.deprecated = true;
                if meta.input.peek(Token![=]) {
                    self.deprecation_warning = Some(meta.value()?.parse::<LitStr>()?.value());
                }
            }
            "label" => self.labels.push(pair(meta)?),
            "annotation" => self.annotations.push(pair(meta)?),
            "derive" => self.derive(meta)?,
            "description" | "doc" => self.description = Some(meta.value()?.parse::<LitStr>()?.value()),
            _ => return Err(unknown::word(meta, "a resource", &WORDS)),
        }
        Ok(())
    }

    /// `derive(A, B)` or `derive = "A"`.
    fn derive(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.input.peek(token::Paren) {
            return meta.parse_nested_meta(|inner| {
                self.derives.push(inner.path.clone());
                Ok(())
            });
        }
        self.derives.push(path(meta)?);
        Ok(())
    }
}

fn checked(meta: &ParseNestedMeta<'_>, check: fn(&str) -> std::result::Result<(), String>) -> Result<LitStr> {
    let text: LitStr = meta.value()?.parse()?;
    check(&text.value()).map_err(|why| Error::new(text.span(), why))?;
    Ok(text)
}

/// `label("key" = "value")`.
fn pair(meta: &ParseNestedMeta<'_>) -> Result<(String, String)> {
    let inner;
    syn::parenthesized!(inner in meta.input);
    let key: LitStr = inner.parse()?;
    inner.parse::<Token![=]>()?;
    let value: LitStr = inner.parse()?;
    Ok((key.value(), value.value()))
}

/// Checks the selectable fields as a server does.
fn selectable_fit(selectable: &[LitStr]) -> Result<()> {
    const MOST: usize = 8;
    for (at, text) in selectable.iter().enumerate() {
        if text.value().starts_with(".metadata.") {
            return Err(Error::new(text.span(), "a field of the metadata can't be made selectable"));
        }
        if selectable[..at].iter().any(|known| known.value() == text.value()) {
            return Err(Error::new(text.span(), "this field is already selectable"));
        }
    }
    match selectable.get(MOST) {
        Some(text) => Err(Error::new(text.span(), format!("a kind has at most {MOST} selectable fields"))),
        None => Ok(()),
    }
}

type Paths = Vec<(LitStr, Vec<String>)>;

fn scale(meta: &ParseNestedMeta<'_>, paths: &mut Paths) -> Result<Scale> {
    let (mut spec, mut status, mut selector) = (None, None, None);
    meta.parse_nested_meta(|inner| {
        let name = inner.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let (place, within): (_, &[&str]) = match name.as_str() {
            "spec_replicas_path" => (&mut spec, &["spec"]),
            "status_replicas_path" => (&mut status, &["status"]),
            "label_selector_path" => (&mut selector, &["spec", "status"]),
            _ => {
                let words = ["spec_replicas_path", "status_replicas_path", "label_selector_path"];
                return Err(unknown::word(&inner, "a scale", &words));
            }
        };
        let text: LitStr = inner.value()?.parse()?;
        let path = paths::fields(&text)?;
        if path.len() < 2 || !within.contains(&path[0].as_str()) {
            let within = within.join("` or `.");
            return Err(Error::new(text.span(), format!("this path of `scale` must begin with `.{within}`")));
        }
        *place = Some(text.value());
        paths.push((text, path));
        Ok(())
    })?;
    let missing = |what: &str| meta.error(format!("`scale` needs `{what} = \"…\"`"));
    Ok(Scale {
        spec: spec.ok_or_else(|| missing("spec_replicas_path"))?,
        status: status.ok_or_else(|| missing("status_replicas_path"))?,
        selector,
    })
}

fn column(meta: &ParseNestedMeta<'_>, paths: &mut Paths) -> Result<Column> {
    let (mut column_name, mut kind, mut json_path) = (None, None, None);
    let (mut description, mut format, mut priority) = (String::new(), String::new(), 0);
    meta.parse_nested_meta(|inner| {
        let name = inner.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "name" => column_name = Some(inner.value()?.parse::<LitStr>()?.value()),
            "type" | "type_" => kind = Some(checked(&inner, column_type)?.value()),
            "json_path" => {
                let text: LitStr = inner.value()?.parse()?;
                json_path = Some(text.value());
                paths.push((text.clone(), paths::leading_fields(&text)?));
            }
            "description" => description = inner.value()?.parse::<LitStr>()?.value(),
            "format" => format = checked(&inner, column_format)?.value(),
            "priority" => priority = inner.value()?.parse::<LitInt>()?.base10_parse()?,
            _ => {
                let words = ["name", "type", "json_path", "description", "format", "priority"];
                return Err(unknown::word(&inner, "a column", &words));
            }
        }
        Ok(())
    })?;
    let missing = |what: &str| meta.error(format!("`column` needs `{what} = \"…\"`"));
    Ok(Column {
        name: column_name.ok_or_else(|| missing("name"))?,
        kind: kind.unwrap_or_else(|| "string".to_owned()),
        json_path: json_path.ok_or_else(|| missing("json_path"))?,
        description,
        format,
        priority,
    })
}

fn column_type(text: &str) -> std::result::Result<(), String> {
    one_of(text, &["integer", "number", "string", "boolean", "date"])
}

fn column_format(text: &str) -> std::result::Result<(), String> {
    one_of(text, &["int32", "int64", "float", "double", "byte", "date", "date-time", "password"])
}

fn one_of(text: &str, known: &[&str]) -> std::result::Result<(), String> {
    if known.contains(&text) { Ok(()) } else { Err(format!("expected one of {}", known.join(", "))) }
}
