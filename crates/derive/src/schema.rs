//! `#[derive(Schema)]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Expr, ExprLit, Fields, GenericArgument, Lit, PathArguments, Result, Type,
    Variant, parse_quote,
};

use crate::docs::description;
use crate::schema_attrs::{DefaultValue, Instead, Words, words};
use crate::serde_attrs::{self, Container, Rule};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let serde = serde_attrs::container(&input.attrs)?;
    let words = words(&input.attrs)?;
    let krate = words.krate.clone().unwrap_or_else(|| parse_quote!(::client_rs::custom));
    let paths = quote!(#krate::__private::schema);
    let mut held = Vec::new();
    let own = own_schema(input, &serde, &words, &paths, &mut held)?;
    // Recursion through other types is found by the constant below, in an error of the compiler that has its name. Direct
    // recursion is reported here, at the field.
    if let Some(own) = held.iter().find(|ty| mentions((*ty).clone().into_token_stream(), &input.ident)) {
        return Err(Error::new_spanned(
            own,
            "a recursive type has no structural schema; `#[schema(preserve_unknown_fields)]` accepts any content",
        ));
    }
    let text = words.description.clone().unwrap_or_else(|| description(&input.attrs));
    let changes = words.apply(&paths);
    let nullable = words.nullable.unwrap_or_default().then(|| quote!(schema = #paths::nullable(schema);));

    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#paths::Schema));
    }
    let (of, of_type, where_) = generics.split_for_impl();
    // Evaluated at once, so that `cargo check` reports a recursive type too.
    let asked =
        input.generics.params.is_empty().then(|| quote!(const _: () = <#name as #paths::Schema>::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;));
    // One per field, so that the compiler points to the field.
    let held = held.iter().map(|ty| {
        quote_spanned!(ty.span()=> let () = <#ty as #paths::Schema>::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;)
    });
    let acyclic = quote_spanned!(name.span()=> const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () = { #(#held)* };);
    Ok(quote! {
        #[automatically_derived]
        impl #of #paths::Schema for #name #of_type #where_ {
            #acyclic

            fn schema() -> #paths::Json {
                #[allow(unused_mut)]
                let mut schema = #own;
                #paths::describe(&mut schema, #text);
                #changes
                #nullable
                schema
            }
        }
        #asked
    })
}

/// The schema without the additions of the type's own attributes.
fn own_schema(
    input: &DeriveInput,
    serde: &Container,
    words: &Words,
    paths: &TokenStream,
    held: &mut Vec<Type>,
) -> Result<TokenStream> {
    if let Some(instead) = &words.instead {
        return Ok(instead_of(instead, paths, held));
    }
    if let Some(proxy) = &serde.proxy {
        held.push(proxy.clone());
        return Ok(quote!(<#proxy as #paths::Schema>::schema()));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(_) => object(&data.fields, serde.rename_all, serde.default, paths, held),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => newtype(&fields.unnamed[0], paths, held),
            fields => Err(Error::new_spanned(
                if fields.is_empty() { input.ident.to_token_stream() } else { fields.to_token_stream() },
                "this has no structural schema: name its fields, or describe its JSON with `#[schema(as = …)]`",
            )),
        },
        Data::Enum(data) => {
            if let Some(span) = serde.untagged.filter(|_| !words.preserve) {
                return Err(Error::new(
                    span,
                    "an untagged enum has no structural schema: add a tag, or describe its JSON on the type with \
                     `#[schema(int_or_string)]`, `#[schema(as = …)]` or `#[schema(preserve_unknown_fields)]`",
                ));
            }
            if serde.untagged.is_some() {
                return Ok(quote!(#paths::empty()));
            }
            enumeration(data.variants.iter(), serde, paths, held)
        }
        Data::Union(data) => Err(Error::new_spanned(data.union_token, "a union has no schema")),
    }
}

fn instead_of(instead: &Instead, paths: &TokenStream, held: &mut Vec<Type>) -> TokenStream {
    match instead {
        Instead::Type(ty) => {
            held.push(ty.clone());
            quote!(<#ty as #paths::Schema>::schema())
        }
        Instead::Function(path) => quote!(#paths::Json::from(#path())),
        Instead::IntOrString => quote!(<#paths::IntOrString as #paths::Schema>::schema()),
        Instead::Embedded => quote!(<#paths::Unstructured as #paths::Schema>::schema()),
    }
}

fn newtype(field: &syn::Field, paths: &TokenStream, held: &mut Vec<Type>) -> Result<TokenStream> {
    let words = words(&field.attrs)?;
    let own = if let Some(instead) = &words.instead {
        instead_of(instead, paths, held)
    } else {
        let ty = &field.ty;
        held.push(ty.clone());
        quote!(<#ty as #paths::Schema>::schema())
    };
    let changes = words.apply(paths);
    Ok(quote!({ #[allow(unused_mut)] let mut schema = #own; #changes schema }))
}

/// An object of named fields.
fn object(
    fields: &Fields,
    rename_all: Option<Rule>,
    all_default: bool,
    paths: &TokenStream,
    held: &mut Vec<Type>,
) -> Result<TokenStream> {
    let mut properties = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        let serde = serde_attrs::field(&field.attrs)?;
        let words = words(&field.attrs)?;
        if serde.skip {
            continue;
        }
        let name = serde.name(ident, rename_all);
        if !serde.flatten {
            if seen.contains(&name) {
                return Err(Error::new_spanned(ident, format!("another field also has the name {name:?}")));
            }
            seen.push(name.clone());
        }
        let ty = &field.ty;
        if let Some(span) = serde.with.filter(|_| words.instead.is_none() && !words.preserve) {
            return Err(Error::new(
                span,
                "this attribute changes the JSON, so the type no longer describes it: add `#[schema(as = …)]`",
            ));
        }
        let own = match &words.instead {
            Some(instead) => instead_of(instead, paths, held),
            None if words.preserve => quote!(#paths::empty()),
            None => {
                held.push(ty.clone());
                quote!(<#ty as #paths::Schema>::schema())
            }
        };
        if serde.flatten {
            let optional = is_option(ty);
            properties.push(quote!(object = object.flatten(&#own, #optional);));
            continue;
        }
        let text = words.description.clone().unwrap_or_else(|| description(&field.attrs));
        let changes = words.apply(paths);
        let default = default_of(&words, &serde, ty, paths)?;
        let optional = if is_option(ty) { quote!(true) } else { quote!(<#ty as #paths::Schema>::OPTIONAL) };
        // A type without a schema can't be asked.
        let optional = if words.preserve || words.instead.is_some() {
            is_option(ty).to_token_stream()
        } else {
            optional
        };
        let absent = serde.default || all_default || default.is_some();
        let required =
            words.required.map_or_else(|| quote!(!#absent && !#optional), |required| quote!(#required));
        // Without `skip_serializing_if`, serde writes `None` as `null`.
        let nullable = match words.nullable {
            Some(nullable) => quote!(#nullable),
            None if serde.skip_serializing_if => quote!(false),
            None => optional,
        };
        properties.push(quote! {{
            #[allow(unused_mut)]
            let mut schema = #own;
            #paths::describe(&mut schema, #text);
            #changes
            #default
            if #nullable {
                schema = #paths::nullable(schema);
            }
            object = object.property(#name, schema, #required);
        }});
    }
    Ok(quote! {{
        #[allow(unused_mut)]
        let mut object = #paths::ObjectSchema::new();
        #(#properties)*
        object.build()
    }})
}

fn default_of(
    words: &Words,
    serde: &serde_attrs::Field,
    ty: &Type,
    paths: &TokenStream,
) -> Result<Option<TokenStream>> {
    let inner = option_of(ty).unwrap_or(ty);
    let value = match (&words.default, &serde.default_path) {
        (Some(DefaultValue::Given(Expr::Lit(ExprLit { lit: Lit::Str(text), .. }))), _) => {
            quote!({ let value: #inner = ::core::convert::Into::into(#text); value })
        }
        (Some(DefaultValue::Given(value)), _) => quote!({ let value: #inner = #value; value }),
        (_, Some(path)) => quote!({ let value: #ty = #path(); value }),
        (Some(DefaultValue::Same(_)), None) if serde.default => {
            quote!(<#ty as ::core::default::Default>::default())
        }
        (Some(DefaultValue::Same(span)), None) => {
            return Err(Error::new(
                *span,
                "the default is missing: write `default = …`, or add `#[serde(default)]`",
            ));
        }
        (None, None) => return Ok(None),
    };
    Ok(Some(quote!(#paths::set(&mut schema, "default", #paths::json_of(&#value));)))
}

fn enumeration<'a>(
    variants: impl Iterator<Item = &'a Variant> + Clone,
    serde: &Container,
    paths: &TokenStream,
    held: &mut Vec<Type>,
) -> Result<TokenStream> {
    let mut known = Vec::new();
    for variant in variants {
        let own = serde_attrs::container(&variant.attrs)?;
        if own.skip {
            continue;
        }
        if let Some(span) = own.untagged {
            return Err(Error::new(span, "an untagged variant has no structural schema"));
        }
        let plain = variant.ident.unraw().to_string();
        let rule = serde.rename_all.map(|rule| rule.variant(&plain));
        let name = own.rename.clone().or(rule).unwrap_or(plain);
        known.push((name, variant, own));
    }
    let units = known.iter().all(|(_, variant, _)| variant.fields.is_empty());
    match (&serde.tag, &serde.content) {
        (None, None) if units => Ok(texts(&known, paths)),
        (None, None) => externally_tagged(&known, serde, paths, held),
        // Serde itself refuses `content` without a `tag`.
        (tag, content) => {
            let tag = tag.as_deref().unwrap_or_default();
            tagged(&known, (tag, content.as_deref()), serde, paths, held)
        }
    }
}

type Known<'a> = (String, &'a Variant, Container);

/// An enum of names only: a string with these values.
fn texts(known: &[Known<'_>], paths: &TokenStream) -> TokenStream {
    let names = known.iter().map(|(name, ..)| name);
    let docs: Vec<String> = known
        .iter()
        .filter_map(|(name, variant, _)| {
            let text = description(&variant.attrs);
            (!text.is_empty()).then(|| format!("- {name}: {text}"))
        })
        .collect();
    let docs = docs.join("\n");
    quote! {{
        let mut schema = <str as #paths::Schema>::schema();
        #paths::set(&mut schema, "enum", [#(#names),*]);
        #paths::describe(&mut schema, #docs);
        schema
    }}
}

fn externally_tagged(
    known: &[Known<'_>],
    serde: &Container,
    paths: &TokenStream,
    held: &mut Vec<Type>,
) -> Result<TokenStream> {
    let mut parts = Vec::new();
    for (name, variant, own) in known {
        if variant.fields.is_empty() {
            return Err(Error::new_spanned(
                &variant.ident,
                "a variant without content is a string in JSON while the others are objects, which has no structural \
                 schema; add `#[serde(tag = \"…\")]` to the enum, or give the variant braces",
            ));
        }
        let content = content_of(variant, own, serde, paths, held)?;
        let text = description(&variant.attrs);
        parts.push(quote! {(#name, {
            let mut schema = #content;
            #paths::describe(&mut schema, #text);
            #paths::ObjectSchema::new().property(#name, schema, true).build()
        })});
    }
    Ok(quote!(#paths::union(::core::option::Option::None, &[#(#parts),*])))
}

/// An enum with a tag: a field names the variant. The content of the variant is next to it, or in its own field.
fn tagged(
    known: &[Known<'_>],
    (tag, content): (&str, Option<&str>),
    serde: &Container,
    paths: &TokenStream,
    held: &mut Vec<Type>,
) -> Result<TokenStream> {
    let mut parts = Vec::new();
    for (name, variant, own) in known {
        let object = if variant.fields.is_empty() {
            quote!(#paths::ObjectSchema::new().build())
        } else {
            let inner = content_of(variant, own, serde, paths, held)?;
            match content {
                None => inner,
                Some(content) => quote!(#paths::ObjectSchema::new().property(#content, #inner, true).build()),
            }
        };
        parts.push(quote!((#name, #object)));
    }
    Ok(quote!(#paths::union(::core::option::Option::Some(#tag), &[#(#parts),*])))
}

fn content_of(
    variant: &Variant,
    own: &Container,
    serde: &Container,
    paths: &TokenStream,
    held: &mut Vec<Type>,
) -> Result<TokenStream> {
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => newtype(&fields.unnamed[0], paths, held),
        Fields::Unnamed(fields) => {
            Err(Error::new_spanned(fields, "several fields without names have no structural schema"))
        }
        fields => object(fields, own.rename_all.or(serde.rename_all_fields), false, paths, held),
    }
}

/// Whether a type mentions this name.
fn mentions(tokens: TokenStream, name: &syn::Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name || ident == "Self",
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

fn is_option(ty: &Type) -> bool {
    option_of(ty).is_some()
}

/// The type inside an `Option`.
pub(crate) fn option_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}
