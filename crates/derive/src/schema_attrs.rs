//! `#[schema(...)]`: keywords of the schema that no Rust type implies.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{
    Attribute, Expr, ExprLit, ExprUnary, Lit, LitBool, LitInt, LitStr, Path, Result, Token, Type, UnOp, token,
};

use crate::unknown;

/// The arguments of `#[schema(...)]` on a type, a field, or its items.
#[derive(Default)]
pub(crate) struct Words {
    pub(crate) krate: Option<Path>,
    pub(crate) description: Option<String>,
    pub(crate) nullable: Option<bool>,
    pub(crate) required: Option<bool>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) instead: Option<Instead>,
    pub(crate) preserve: bool,
    /// Keywords of the schema and their values.
    plain: Vec<(&'static str, TokenStream)>,
    rules: Vec<Rule>,
    items: Option<Box<Words>>,
    values: Option<Box<Words>>,
}

/// The default of a field.
pub(crate) enum DefaultValue {
    /// The value that serde fills in.
    Same(Span),
    Given(Expr),
}

/// A replacement for the schema of the type.
pub(crate) enum Instead {
    Type(Type),
    Function(Path),
    IntOrString,
    Embedded,
}

/// A rule of `x-kubernetes-validations`.
pub(crate) struct Rule {
    expression: LitStr,
    message: Option<LitStr>,
    message_expression: Option<LitStr>,
    reason: Option<LitStr>,
    field_path: Option<LitStr>,
    optional_old_self: bool,
}

pub(crate) fn words(attrs: &[Attribute]) -> Result<Words> {
    let mut words = Words::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("schema")) {
        attr.parse_nested_meta(|meta| words.read(&meta))?;
    }
    words.checked()
}

impl Words {
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "crate" => self.krate = Some(path(meta)?),
            "description" => self.description = Some(meta.value()?.parse::<LitStr>()?.value()),
            "nullable" => self.nullable = Some(flag(meta)?),
            "required" => self.required = Some(flag(meta)?),
            "optional" => self.required = Some(!flag(meta)?),
            "default" => {
                self.default = Some(if meta.input.peek(Token![=]) {
                    DefaultValue::Given(meta.value()?.parse()?)
                } else {
                    DefaultValue::Same(meta.path.segments[0].ident.span())
                });
            }
            "as" => self.instead = Some(Instead::Type(parsed(meta)?)),
            "with" => self.instead = Some(Instead::Function(path(meta)?)),
            "int_or_string" => self.instead = Some(Instead::IntOrString),
            "embedded_resource" => self.instead = Some(Instead::Embedded),
            "preserve_unknown_fields" => self.preserve = flag(meta)?,
            "rule" => self.rules.push(rule(meta)?),
            "items" => read_inner(&mut self.items, meta)?,
            "values" => read_inner(&mut self.values, meta)?,
            "title" => self.text("title", meta)?,
            "format" => self.text("format", meta)?,
            "pattern" => self.text("pattern", meta)?,
            "minimum" => self.number("minimum", None, meta)?,
            "maximum" => self.number("maximum", None, meta)?,
            "exclusive_minimum" => self.number("minimum", Some("exclusiveMinimum"), meta)?,
            "exclusive_maximum" => self.number("maximum", Some("exclusiveMaximum"), meta)?,
            "multiple_of" => self.number("multipleOf", None, meta)?,
            "min_length" => self.count("minLength", meta)?,
            "max_length" => self.count("maxLength", meta)?,
            "min_items" => self.count("minItems", meta)?,
            "max_items" => self.count("maxItems", meta)?,
            "min_properties" => self.count("minProperties", meta)?,
            "max_properties" => self.count("maxProperties", meta)?,
            "one_of" => self.list("enum", meta)?,
            "list_map_keys" => self.list("x-kubernetes-list-map-keys", meta)?,
            "list_type" => self.choice("x-kubernetes-list-type", &["atomic", "set", "map"], meta)?,
            "map_type" => self.choice("x-kubernetes-map-type", &["atomic", "granular"], meta)?,
            _ => return Err(unknown::word(meta, "a schema", &WORDS)),
        }
        Ok(())
    }

    fn checked(self) -> Result<Self> {
        let has = |word: &str| self.plain.iter().find(|(known, _)| *known == word);
        let by_key = has("x-kubernetes-list-type").is_some_and(|(_, value)| value.to_string() == "\"map\"");
        let keys = has("x-kubernetes-list-map-keys");
        match (by_key, keys) {
            (true, None) => {
                let value = has("x-kubernetes-list-type").map(|(_, value)| value.clone());
                Err(syn::Error::new_spanned(value, "a list that is a map needs `list_map_keys = [\"…\"]`"))
            }
            (false, Some((_, keys))) => {
                Err(syn::Error::new_spanned(keys, "only a list with `list_type = \"map\"` has keys"))
            }
            _ => Ok(self),
        }
    }

    /// Statements that change the schema in the variable `schema`, without the default: that needs the type.
    pub(crate) fn apply(&self, paths: &TokenStream) -> TokenStream {
        let words = self.plain.iter().map(|(word, value)| quote!(#paths::set(&mut schema, #word, #value);));
        let rules = self.rules.iter().map(|rule| rule.tokens(paths));
        let rules = (!self.rules.is_empty())
            .then(|| quote!(#paths::set(&mut schema, "x-kubernetes-validations", ::std::vec![#(#rules),*]);));
        let preserve = self
            .preserve
            .then(|| quote!(#paths::set(&mut schema, "x-kubernetes-preserve-unknown-fields", true);));
        let inner = [(&self.items, "items"), (&self.values, "additionalProperties")];
        let inner = inner.into_iter().filter_map(|(words, within)| {
            let words = words.as_ref()?;
            let (changes, nullable) = (words.apply(paths), words.nullable == Some(true));
            let nullable = nullable.then(|| quote!(*schema = #paths::nullable(schema.take());));
            Some(quote! {
                #paths::set_within(&mut schema, #within, |schema| {
                    let mut schema = schema;
                    #changes
                    #nullable
                });
            })
        });
        quote!(#(#words)* #rules #preserve #(#inner)*)
    }

    fn put(&mut self, word: &'static str, value: TokenStream) {
        self.plain.retain(|(known, _)| *known != word);
        self.plain.push((word, value));
    }

    fn text(&mut self, word: &'static str, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let text: LitStr = meta.value()?.parse()?;
        self.put(word, quote!(#text));
        Ok(())
    }

    fn number(
        &mut self,
        word: &'static str,
        exclusive: Option<&'static str>,
        meta: &ParseNestedMeta<'_>,
    ) -> Result<()> {
        let value: Expr = meta.value()?.parse()?;
        let literal = match &value {
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => &**expr,
            other => other,
        };
        let value = match literal {
            Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) => quote!({ let value: i64 = #value; value }),
            Expr::Lit(ExprLit { lit: Lit::Float(_), .. }) => quote!({ let value: f64 = #value; value }),
            _ => return Err(syn::Error::new_spanned(value, "expected a number")),
        };
        self.put(word, value);
        if let Some(exclusive) = exclusive {
            self.put(exclusive, quote!(true));
        }
        Ok(())
    }

    fn count(&mut self, word: &'static str, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let count: LitInt = meta.value()?.parse()?;
        count.base10_parse::<u32>()?;
        self.put(word, quote!({ let value: i64 = #count; value }));
        Ok(())
    }

    fn list(&mut self, word: &'static str, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let list: syn::ExprArray = meta.value()?.parse()?;
        if list.elems.is_empty() {
            return Err(syn::Error::new_spanned(list, "an empty list allows no value"));
        }
        self.put(word, quote!(#list));
        Ok(())
    }

    fn choice(&mut self, word: &'static str, choices: &[&str], meta: &ParseNestedMeta<'_>) -> Result<()> {
        let text: LitStr = meta.value()?.parse()?;
        if !choices.contains(&text.value().as_str()) {
            let choices = choices.join("\", \"");
            return Err(syn::Error::new(text.span(), format!("expected one of \"{choices}\"")));
        }
        self.put(word, quote!(#text));
        Ok(())
    }
}

impl Rule {
    /// The rule as a `Json`.
    pub(crate) fn tokens(&self, paths: &TokenStream) -> TokenStream {
        let expression = &self.expression;
        let optional = [
            ("message", &self.message),
            ("messageExpression", &self.message_expression),
            ("reason", &self.reason),
            ("fieldPath", &self.field_path),
        ];
        let optional = optional.into_iter().filter_map(|(word, value)| {
            let value = value.as_ref()?;
            Some(quote!(#paths::set(&mut rule, #word, #value);))
        });
        let old = self.optional_old_self.then(|| quote!(#paths::set(&mut rule, "optionalOldSelf", true);));
        quote! {{
            let mut rule = #paths::empty();
            #paths::set(&mut rule, "rule", #expression);
            #(#optional)*
            #old
            rule
        }}
    }
}

/// The arguments of `#[schema(...)]`.
const WORDS: [&str; 32] = [
    "crate",
    "description",
    "nullable",
    "required",
    "optional",
    "default",
    "as",
    "with",
    "int_or_string",
    "embedded_resource",
    "preserve_unknown_fields",
    "rule",
    "items",
    "values",
    "title",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusive_minimum",
    "exclusive_maximum",
    "multiple_of",
    "min_length",
    "max_length",
    "min_items",
    "max_items",
    "min_properties",
    "max_properties",
    "one_of",
    "list_map_keys",
    "list_type",
    "map_type",
];

/// The arguments of `rule(...)`.
const RULE_WORDS: [&str; 6] =
    ["expression", "message", "message_expression", "reason", "field_path", "optional_old_self"];

/// The reasons that a server accepts.
const REASONS: [&str; 4] =
    ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];

/// `rule = "…"`, or `rule(expression = "…", message = "…", …)`.
pub(crate) fn rule(meta: &ParseNestedMeta<'_>) -> Result<Rule> {
    let mut expression = None;
    let (mut message, mut message_expression, mut reason, mut field_path) = (None, None, None, None);
    let mut optional_old_self = false;
    if meta.input.peek(Token![=]) {
        expression = Some(meta.value()?.parse()?);
    } else {
        meta.parse_nested_meta(|inner| {
            let name = inner.path.get_ident().map(ToString::to_string).unwrap_or_default();
            match name.as_str() {
                "expression" | "rule" => expression = Some(inner.value()?.parse()?),
                "message" => message = Some(inner.value()?.parse::<LitStr>()?),
                "message_expression" => message_expression = Some(inner.value()?.parse::<LitStr>()?),
                "reason" => reason = Some(inner.value()?.parse::<LitStr>()?),
                "field_path" => field_path = Some(inner.value()?.parse::<LitStr>()?),
                "optional_old_self" => optional_old_self = flag(&inner)?,
                _ => return Err(unknown::word(&inner, "a rule", &RULE_WORDS)),
            }
            Ok(())
        })?;
    }
    let expression: LitStr = expression.ok_or_else(|| meta.error("a rule needs its `expression = \"…\"`"))?;
    for text in [Some(&expression), message_expression.as_ref()].into_iter().flatten() {
        if let Err(error) = client_rs_cel::parse(&text.value()) {
            return Err(syn::Error::new(text.span(), format!("invalid CEL expression: {error}")));
        }
    }
    if let Some(message) = message.as_ref().filter(|message| message.value().trim().is_empty()) {
        return Err(syn::Error::new(message.span(), "a message can't be empty"));
    }
    if let Some(reason) = reason.as_ref().filter(|reason| !REASONS.contains(&reason.value().as_str())) {
        return Err(syn::Error::new(reason.span(), format!("expected one of {}", REASONS.join(", "))));
    }
    Ok(Rule { expression, message, message_expression, reason, field_path, optional_old_self })
}

fn read_inner(place: &mut Option<Box<Words>>, meta: &ParseNestedMeta<'_>) -> Result<()> {
    let words = place.get_or_insert_default();
    meta.parse_nested_meta(|inner| words.read(&inner))
}

/// Parses `word` or `word = true`.
pub(crate) fn flag(meta: &ParseNestedMeta<'_>) -> Result<bool> {
    if meta.input.peek(Token![=]) { Ok(meta.value()?.parse::<LitBool>()?.value()) } else { Ok(true) }
}

/// Parses a path, with or without quotes.
pub(crate) fn path(meta: &ParseNestedMeta<'_>) -> Result<Path> {
    parsed(meta)
}

/// Parses an item, with or without quotes.
pub(crate) fn parsed<T: syn::parse::Parse>(meta: &ParseNestedMeta<'_>) -> Result<T> {
    let value = meta.value()?;
    if value.peek(LitStr) && !value.peek2(token::Bracket) {
        value.parse::<LitStr>()?.parse()
    } else {
        value.parse()
    }
}
