//! Serde's attributes: the schema describes the JSON that serde writes.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, LitStr, Path, Result, Token, Type, token};

/// The attributes of a struct, an enum or a variant.
#[derive(Default)]
pub(crate) struct Container {
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<Rule>,
    pub(crate) rename_all_fields: Option<Rule>,
    pub(crate) tag: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) untagged: Option<Span>,
    pub(crate) default: bool,
    pub(crate) skip: bool,
    /// `from`, `try_from` or `into`: the type that defines the JSON instead.
    pub(crate) proxy: Option<Type>,
}

/// The attributes of a field.
// Each flag is an attribute of serde.
#[allow(clippy::struct_excessive_bools)]
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) rename: Option<String>,
    pub(crate) default: bool,
    pub(crate) default_path: Option<Path>,
    pub(crate) skip: bool,
    pub(crate) skip_serializing_if: bool,
    pub(crate) flatten: bool,
    /// `with` and similar attributes: the type does not describe the JSON.
    pub(crate) with: Option<Span>,
}

/// Serde's rules for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

pub(crate) fn container(attrs: &[Attribute]) -> Result<Container> {
    let mut found = Container::default();
    each(attrs, |meta| {
        match name(&meta).as_str() {
            "rename" => found.rename = renamed(&meta)?.or(found.rename.take()),
            "rename_all" => found.rename_all = rule(&meta)?.or(found.rename_all),
            "rename_all_fields" => found.rename_all_fields = rule(&meta)?.or(found.rename_all_fields),
            "tag" => found.tag = Some(text(&meta)?.value()),
            "content" => found.content = Some(text(&meta)?.value()),
            "untagged" => found.untagged = Some(meta.path.segments[0].ident.span()),
            "default" => {
                found.default = true;
                pass_over(&meta)?;
            }
            "skip" | "skip_serializing" | "skip_deserializing" => found.skip = true,
            "from" | "try_from" | "into" => found.proxy = Some(text(&meta)?.parse()?),
            _ => pass_over(&meta)?,
        }
        Ok(())
    })?;
    Ok(found)
}

pub(crate) fn field(attrs: &[Attribute]) -> Result<Field> {
    let mut found = Field::default();
    each(attrs, |meta| {
        match name(&meta).as_str() {
            "rename" => found.rename = renamed(&meta)?.or(found.rename.take()),
            "default" => {
                found.default = true;
                if meta.input.peek(Token![=]) {
                    found.default_path = Some(text(&meta)?.parse()?);
                }
            }
            "skip" | "skip_serializing" | "skip_deserializing" => found.skip = true,
            "skip_serializing_if" => {
                found.skip_serializing_if = true;
                pass_over(&meta)?;
            }
            "flatten" => found.flatten = true,
            "with" | "serialize_with" | "deserialize_with" => {
                found.with = Some(meta.path.segments[0].ident.span());
                pass_over(&meta)?;
            }
            _ => pass_over(&meta)?,
        }
        Ok(())
    })?;
    Ok(found)
}

impl Field {
    /// The name in JSON.
    pub(crate) fn name(&self, ident: &syn::Ident, rename_all: Option<Rule>) -> String {
        let plain = ident.unraw().to_string();
        self.rename.clone().unwrap_or_else(|| rename_all.map_or(plain.clone(), |rule| rule.field(&plain)))
    }
}

impl Rule {
    fn parse(text: &LitStr) -> Result<Self> {
        Ok(match text.value().as_str() {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return Err(syn::Error::new(text.span(), "serde does not know this rule")),
        })
    }

    /// The JSON name of a field, which is snake case in Rust.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => lower_first(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The JSON name of a variant, which is Pascal case in Rust.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

fn each(attrs: &[Attribute], mut logic: impl FnMut(ParseNestedMeta<'_>) -> Result<()>) -> Result<()> {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        attr.parse_nested_meta(&mut logic)?;
    }
    Ok(())
}

fn name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}

fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}

/// Parses `rename = "a"` or `rename(serialize = "a", deserialize = "b")`. The name for serializing is the one that a server
/// sees.
fn renamed(meta: &ParseNestedMeta<'_>) -> Result<Option<String>> {
    Ok(both_forms(meta)?.map(|text| text.value()))
}

fn rule(meta: &ParseNestedMeta<'_>) -> Result<Option<Rule>> {
    both_forms(meta)?.map(|text| Rule::parse(&text)).transpose()
}

fn both_forms(meta: &ParseNestedMeta<'_>) -> Result<Option<LitStr>> {
    if !meta.input.peek(token::Paren) {
        return text(meta).map(Some);
    }
    let mut written = None;
    meta.parse_nested_meta(|inner| {
        let value = text(&inner)?;
        if inner.path.is_ident("serialize") {
            written = Some(value);
        }
        Ok(())
    })?;
    Ok(written)
}

/// Skips the value or the arguments of an attribute.
fn pass_over(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(token::Paren) {
        let inner;
        syn::parenthesized!(inner in meta.input);
        inner.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_as_serde_makes_them() {
        for (rule, field, variant) in [
            (Rule::Camel, "maxUnavailable", "veryGood"),
            (Rule::Pascal, "MaxUnavailable", "VeryGood"),
            (Rule::Snake, "max_unavailable", "very_good"),
            (Rule::Kebab, "max-unavailable", "very-good"),
            (Rule::ScreamingSnake, "MAX_UNAVAILABLE", "VERY_GOOD"),
            (Rule::ScreamingKebab, "MAX-UNAVAILABLE", "VERY-GOOD"),
            (Rule::Lower, "max_unavailable", "verygood"),
            (Rule::Upper, "MAX_UNAVAILABLE", "VERYGOOD"),
        ] {
            assert_eq!(
                (rule.field("max_unavailable"), rule.variant("VeryGood")),
                (field.into(), variant.into())
            );
        }
    }

    #[test]
    fn unknown_attributes_are_ignored() {
        let item: syn::DeriveInput = syn::parse_quote! {
            #[serde(bound(serialize = "T: Clone"), crate = "x", rename_all(serialize = "camelCase", deserialize = "snake_case"))]
            struct A;
        };
        assert_eq!(container(&item.attrs).unwrap().rename_all, Some(Rule::Camel));
    }
}
